// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * main.c: runs the tests, prints TAP
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

static const struct test * const tables[] = {
	access_tests, read_tests, atomic_tests, wr_tests, cq_ex_tests, queue_tests, state_tests, hostile_tests,
};

/* Return: whether it failed */
static bool run_one(const struct test *t, int number)
{
	uint64_t start = vt_now_ns();
	bool after = false;
	struct pair p;

	failure[0] = 0;
	if (t->smrc_only && generic) {
		printf("ok %d - %s # SKIP --generic\n", number, t->name);
		return false;
	}
	t->run();
	drain_async();
	if (!failure[0]) {
		make_pair(&p, NULL);
		use_pair(&p);
		drop_pair(&p);
		after = true;
	}
	printf("%s %d - %s\n", failure[0] ? "not ok" : "ok", number, t->name);
	if (failure[0])
		printf("# %s%s\n", after ? "a fresh connection afterwards: " : "", failure);
	if (getenv("V"))
		printf("# %llu ms\n", (long long)(vt_now_ns() - start) / 1000000);
	fflush(stdout);
	return failure[0];
}

static void print_usage(FILE *f)
{
	fprintf(f, "usage: verbs_errors [OPTION...] [PATTERN...]\n"
		"\n"
		"Provoke errors of the verbs and check what comes of them. Prints TAP; ends with 1 when a test failed.\n"
		"With PATTERN: only tests whose name contains one of them.\n"
		"\n"
		"  -d, --device NAME     RDMA device (the first)\n"
		"  -D, --device2 NAME    device of the other end (the same)\n"
		"  -x, --gid-index N     GID (a RoCE v2 one, IPv4-mapped if there is one)\n"
		"  -6                    choose an IPv6 GID\n"
		"  -S, --seed N          of what is random (1)\n"
		"      --effort N        rounds of what repeats, per cent (100): for slow machines\n"
		"      --generic         not a Soft-MRC device: leave out what only that promises\n"
		"      --list            print the names\n");
}

static bool wanted(const struct test *t, char **patterns)
{
	if (!*patterns)
		return true;
	for (; *patterns; patterns++) {
		if (strstr(t->name, *patterns))
			return true;
	}
	return false;
}

static int run_all(char **patterns, bool list)
{
	int number, failed = 0;
	const struct test *t;
	size_t i, pass;

	/* the first pass counts */
	for (pass = 0; pass < 2; pass++) {
		number = 0;
		for (i = 0; i < ARRAY_SIZE(tables); i++) {
			for (t = tables[i]; t->name; t++) {
				if (!wanted(t, patterns))
					continue;
				number++;
				if (pass && list)
					printf("%s\n", t->name);
				else if (pass)
					failed += run_one(t, number);
			}
		}
		if (!pass && !list)
			printf("1..%d\n", number);
	}
	return number ? failed : 1;
}

int main(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "device", 1, NULL, 'd' }, { "device2", 1, NULL, 'D' }, { "gid-index", 1, NULL, 'x' },
		{ "seed", 1, NULL, 'S' }, { "generic", 0, NULL, 1000 }, { "list", 0, NULL, 1001 },
		{ "effort", 1, NULL, 1002 },
		{ "help", 0, NULL, 'h' }, {}
	};
	const char *name = NULL, *name2 = NULL;
	int c, gid_index = -1, failed;
	bool ipv6 = false;

	vt_program = "verbs_errors";
	while ((c = getopt_long(argc, argv, "d:D:x:6S:h", longs, NULL)) >= 0) {
		switch (c) {
		case 'd':
			name = optarg;
			break;
		case 'D':
			name2 = optarg;
			break;
		case 'x':
			gid_index = atoi(optarg);
			break;
		case '6':
			ipv6 = true;
			break;
		case 'S':
			seed = strtoull(optarg, NULL, 0);
			break;
		case 1000:
			generic = true;
			break;
		case 1002:
			effort = atoi(optarg);
			break;
		case 1001:
			return run_all(argv + optind, true);
		case 'h':
			print_usage(stdout);
			return 0;
		default:
			print_usage(stderr);
			return 2;
		}
	}
	vt_open(&devs[0], name, gid_index, ipv6);
	dev_a = &devs[0];
	dev_b = &devs[0];
	if (name2) {
		vt_open(&devs[1], name2, gid_index, ipv6);
		dev_b = &devs[1];
	}
	if (ibv_query_device(dev_a->ctx, &dev_attr))
		vt_die("query device: %s", strerror(errno));
	failed = run_all(argv + optind, false);
	if (name2)
		vt_close(&devs[1]);
	vt_close(&devs[0]);
	return failed != 0;
}
