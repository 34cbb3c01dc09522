#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""
usage: index.py FOLDER

One page, index.html, over the results below FOLDER, and summary.json with every figure that is to be reached.
"""

import glob
import html
import json
import os
import sys

STYLE = """body { font: 16px/1.5 system-ui, sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #222 }
table { border-collapse: collapse; margin: 1em 0 } td, th { padding: .2em .8em; border-bottom: 1px solid #ddd; text-align: left }
td.n { text-align: right; font-variant-numeric: tabular-nums } .yes { color: #070 } .no { color: #a00 }
img { max-width: 100% } h2 { margin-top: 2.5em; border-top: 2px solid #222; padding-top: .5em }"""


def text(value):
	if value is None:
		return "-"
	return html.escape(f"{value:.4g}" if isinstance(value, float) else str(value))


def table(head, rows):
	yield "<table><tr>" + "".join(f"<th>{text(h)}</th>" for h in head) + "</tr>"
	for row in rows:
		cells = (f"<td{' class=n' if isinstance(c, (int, float)) else ''}>{text(c)}</td>" for c in row)
		yield "<tr>" + "".join(cells) + "</tr>"
	yield "</table>"


def figures(result):
	yield "<table><tr><th>figure<th>value<th>to reach<th></tr>"
	for f in result["figures"]:
		reach = f"{f['sense']} {text(f['reach'])}" if f["reach"] is not None else ""
		mark = {None: "", True: "<span class=yes>reached</span>", False: "<span class=no>not reached</span>"}[f["ok"]]
		yield (f"<tr><td>{text(f['name'])}<td class=n>{text(f['value'])}<td>{html.escape(reach)}"
		       f"<td>{mark} {html.escape(f['note'])}</tr>")
	yield "</table>"


def section(result):
	name = result["name"]
	yield f"<h2 id={name}>{text(result['title'])}</h2><p>{text(result['question'])}</p>"
	for plot in result["plots"]:
		yield f'<p><img src="{name}/{plot}" alt="{text(result["title"])}"></p>'
	yield from figures(result)
	for t in result["tables"]:
		yield f"<p>{text(t['title'])}</p>"
		yield from table(t["head"], t["rows"])
	yield f"<p><b>{text(result['verdict'])}</b> Data: <a href={name}/>{name}/</a></p>"


def main():
	if len(sys.argv) != 2:
		sys.exit(__doc__)
	folder = sys.argv[1]
	results = []
	for path in sorted(glob.glob(os.path.join(folder, "*", "result.json"))):
		with open(path, encoding="utf-8") as f:
			results.append(json.load(f))
	rows = [{"name": f"{r['name']}: {f['name']}", "value": f["value"], "reach": f["reach"], "ok": f["ok"]}
		for r in results for f in r["figures"] if f["reach"] is not None]
	with open(os.path.join(folder, "summary.json"), "w", encoding="utf-8") as f:
		json.dump(rows, f, indent=1)
	page = [f"<!doctype html><meta charset=utf-8><title>Soft-MRC: experiments</title><style>{STYLE}</style>",
		"<h1>Soft-MRC: experiments</h1><p>" +
		" · ".join(f"<a href=#{r['name']}>{text(r['title'])}</a>" for r in results) + "</p>"]
	for r in results:
		page += section(r)
	with open(os.path.join(folder, "index.html"), "w", encoding="utf-8") as f:
		f.write("\n".join(page) + "\n")
	print(f"experiments: {sum(1 for r in rows if r['ok'])} of {len(rows)} figures reached; {folder}/index.html")


main()
