# SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
"""What the reports of experiments share: raw data in; CSV, JSON and a plot out."""

import csv
import json
import os
import subprocess
import sys


PATHS, RATE_MBIT = 8, 50	# of the fabric (lib.sh)
WIRE = 4178 / 4096		# a full packet's frame against its payload
POLICIES = ["none", "counter", "random", "default", "reps"]


class Result:
	"""One experiment's result, written by save() into its folder."""

	def __init__(self, title, question):
		self.folder = sys.argv[1]
		self.name = os.path.basename(self.folder)
		self.result = {"name": self.name, "title": title, "question": question, "figures": [], "tables": [], "plots": []}

	def path(self, name):
		return os.path.join(self.folder, name)

	def read(self, name):
		with open(self.path(name), encoding="utf-8", errors="replace") as f:
			return f.read()

	def rows(self, name):
		"""A CSV file with a head as dictionaries."""
		with open(self.path(name), encoding="utf-8", newline="") as f:
			yield from csv.DictReader(f)

	def write(self, name, head, rows):
		with open(self.path(name), "w", encoding="utf-8", newline="") as f:
			out = csv.writer(f, lineterminator="\n")
			out.writerow(head)
			out.writerows(rows)

	def figure(self, name, value, reach=None, at_least=True, note=""):
		"""A figure; with reach it goes to the summary as well. None is a value that could not be measured."""
		ok = None
		if reach is not None:
			ok = value is not None and (value >= reach if at_least else value <= reach)
		self.result["figures"].append({"name": name, "value": value, "reach": reach,
					       "sense": ">=" if at_least else "<=", "ok": ok, "note": note})

	def table(self, title, head, rows):
		self.result["tables"].append({"title": title, "head": head, "rows": rows})

	def plot(self, name, script):
		"""Draw NAME.svg with gnuplot; the script finds the CSV files in its working folder."""
		prelude = (f'set terminal svg size 900,420 dynamic background "white"\nset output "{name}.svg"\n'
			   'set datafile separator ","\nset key outside\nset grid\n')
		subprocess.run(["gnuplot"], input=prelude + script, text=True, check=True, cwd=self.folder)
		self.result["plots"].append(f"{name}.svg")

	def save(self, verdict):
		self.result["verdict"] = verdict
		with open(self.path("result.json"), "w", encoding="utf-8") as f:
			json.dump(self.result, f, indent=1)
		for figure in self.result["figures"]:
			mark = {None: "", True: "  reached", False: "  NOT reached"}[figure["ok"]]
			print(f"{self.name}: {figure['name']}: {figure['value']}{mark}")


def jain(values):
	square = sum(v * v for v in values)
	return sum(values) ** 2 / (len(values) * square) if square else 0.0
