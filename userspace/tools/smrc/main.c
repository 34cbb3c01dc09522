// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * main.c: smrc, what the Soft-MRC driver knows and how it is set, from the command line.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "dump.h"
#include "monitor.h"
#include "top.h"

static bool json;

static void print_usage(FILE *f)
{
	fputs("usage: smrc [-j] peer show [DEV]        peers: addresses, policy, base RTT, values\n"
	      "       smrc [-j] ev show PEER [DEV]     entropy values of a peer, an IP address, or \"all\"\n"
	      "       smrc [-j] qp show [DEV]          queue pairs: windows, RTT, what is in flight\n"
	      "       smrc [-j] set DEV                settings of a device\n"
	      "       smrc set DEV NAME VALUE          change one\n"
	      "       smrc [-j] top [DEV] [interval=S] [count=N]\n"
	      "                                        rates, and the spread over the values, every second\n"
	      "       smrc monitor [NAME=VALUE...]     a row of CSV for every packet, until Ctrl-C\n"
	      "\n"
	      "Without DEV: all Soft-MRC devices. To show needs CAP_NET_ADMIN, to set and to monitor root.\n"
	      "monitor takes only packets whose dev, dir, type, qpn, psn, ev, size and ecn are as told; count=N ends it,\n"
	      "buffer=KIB (4096) is the room for packets that were not read yet, on each CPU.\n"
	      "\n"
	      "  -j, --json    for programs\n"
	      "  -h, --help    this\n", f);
}

static int fail(const char *what, int err)
{
	fprintf(stderr, "smrc: %s: %s\n", what, strerror(-err));
	return 1;
}

static int misused(const char *what)
{
	fprintf(stderr, "smrc: %s (try --help)\n", what);
	return 2;
}

static void print(const struct table *t)
{
	if (!json) {
		table_print(t);
		return;
	}
	table_print_json(t);
	putchar('\n');
}

static int show_device(const struct dump *d, const char *dev, const struct in6_addr *remote, struct table *t)
{
	int err = dump_run(d, dev, remote, t);

	return err ? fail(dev, err) : 0;
}

static int show_all(const struct dump *d, const struct in6_addr *remote, struct table *t)
{
	char **names = NULL;
	int n = device_list(&names), i, status = 0;

	if (n < 0)
		return fail("devices", n);
	for (i = 0; i < n && !status; i++) {
		int err = dump_run(d, names[i], remote, t);

		/* It may have gone since it was listed */
		status = err && err != -ENODEV ? fail(names[i], err) : 0;
	}
	return status;
}

static int unknown_to_kernel(void)
{
	fprintf(stderr, "smrc: the kernel does not know Soft-MRC: modprobe rdma_smrc\n");
	return 1;
}

static int open_family(void)
{
	int err = dump_open();

	if (err == -ENOENT)
		return unknown_to_kernel();
	return err ? fail("netlink", err) : 0;
}

static int show(const struct dump *d, const char *dev, const struct in6_addr *remote)
{
	struct table t;
	int status;

	status = open_family();
	if (status)
		return status;
	dump_table_init(d, &t);
	status = dev ? show_device(d, dev, remote, &t) : show_all(d, remote, &t);
	if (!status)
		print(&t);
	dump_table_free(&t);
	dump_close();
	return status;
}

static int parse_address(const char *text, struct in6_addr *a)
{
	struct in_addr v4;

	if (inet_pton(AF_INET6, text, a) == 1)
		return 0;
	if (inet_pton(AF_INET, text, &v4) != 1)
		return -EINVAL;
	memset(a, 0, sizeof(*a));
	a->s6_addr[10] = 0xff;
	a->s6_addr[11] = 0xff;
	memcpy(&a->s6_addr[12], &v4, sizeof(v4));
	return 0;
}

static int do_peer(int argc, char **argv)
{
	return argc > 1 ? misused("too many words") : show(&dump_peers, argv[0], NULL);
}

static int do_qp(int argc, char **argv)
{
	return argc > 1 ? misused("too many words") : show(&dump_qps, argv[0], NULL);
}

static int do_ev(int argc, char **argv)
{
	struct in6_addr remote;

	if (argc < 1 || argc > 2)
		return misused("ev show wants a peer");
	if (!strcmp(argv[0], "all"))
		return show(&dump_evs, argv[1], NULL);
	if (parse_address(argv[0], &remote))
		return misused("that is no IP address");
	return show(&dump_evs, argv[1], &remote);
}

static int show_settings(const char *dev)
{
	static const struct column cols[] = {
		{ "SETTING", "name", true, true }, { "VALUE", "value", true, true },
	};
	char **names = NULL, value[256];
	struct table t;
	int n = device_settings(dev, &names), i, err;

	if (n <= 0)
		return fail(dev, n ? n : -ENODEV);
	table_init(&t, cols, 2);
	for (i = 0; i < n; i++) {
		err = device_get(dev, names[i], value, sizeof(value));
		if (err)
			return fail(names[i], err);
		table_row(&t);
		table_cell(&t, 0, "%s", names[i]);
		table_cell(&t, 1, "%s", value);
	}
	print(&t);
	table_free(&t);
	return 0;
}

static int do_set(int argc, char **argv)
{
	char **names = NULL;
	int err;

	if (argc == 1)
		return show_settings(argv[0]);
	if (argc != 3)
		return misused("set wants a device, a name and a value");
	err = device_settings(argv[0], &names);
	if (err <= 0)
		return fail(argv[0], err ? err : -ENODEV);
	err = device_set(argv[0], argv[1], argv[2]);
	if (err == -EINVAL)
		fprintf(stderr, "smrc: the kernel's log says which rule the value breaks\n");
	return err ? fail(argv[1], err) : 0;
}

static int do_monitor(int argc, char **argv)
{
	struct monitor m = { .buffer_kib = MONITOR_BUFFER_KIB };
	int i, err;

	if (json)
		return misused("monitor makes CSV, not JSON");
	for (i = 0; i < argc; i++) {
		err = monitor_word(&m, argv[i]);
		if (err == -ENOSPC)
			return misused("too many words");
		if (err) {
			fprintf(stderr, "smrc: monitor does not know %s (try --help)\n", argv[i]);
			return 2;
		}
	}
	err = monitor_run(&m);
	if (err == -ENOENT)
		return unknown_to_kernel();
	return err ? fail("monitor", err) : 0;
}

static int do_top(int argc, char **argv)
{
	struct top top = { .interval = 1, .json = json };
	int i, err, status;

	for (i = 0; i < argc; i++) {
		if (top_word(&top, argv[i])) {
			fprintf(stderr, "smrc: top does not know %s (try --help)\n", argv[i]);
			return 2;
		}
	}
	status = open_family();
	if (status)
		return status;
	err = top_run(&top);
	dump_close();
	return err ? fail(top.dev ? top.dev : "top", err) : 0;
}

static int run(int argc, char **argv)
{
	int word;

	static const struct {
		const char *object;
		int (*function)(int argc, char **argv);
	} commands[] = { { "peer", do_peer }, { "ev", do_ev }, { "qp", do_qp } };
	size_t i;

	for (word = 0; word < argc; word++) {
		if (argv[word][0] == '-')
			return misused("options come first");
	}
	if (argc >= 2 && !strcmp(argv[0], "set"))
		return do_set(argc - 1, argv + 1);
	if (!strcmp(argv[0], "monitor"))
		return do_monitor(argc - 1, argv + 1);
	if (!strcmp(argv[0], "top"))
		return do_top(argc - 1, argv + 1);
	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		if (argc >= 2 && !strcmp(argv[0], commands[i].object) && !strcmp(argv[1], "show"))
			return commands[i].function(argc - 2, argv + 2);
	}
	return misused("no such command");
}

int main(int argc, char **argv)
{
	static const struct option longs[] = { { "json", 0, NULL, 'j' }, { "help", 0, NULL, 'h' }, {} };
	int c;

	while ((c = getopt_long(argc, argv, "+jh", longs, NULL)) >= 0) {
		switch (c) {
		case 'j':
			json = true;
			break;
		case 'h':
			print_usage(stdout);
			return 0;
		default:
			print_usage(stderr);
			return 2;
		}
	}
	if (optind == argc) {
		print_usage(stderr);
		return 2;
	}
	return run(argc - optind, argv + optind);
}
