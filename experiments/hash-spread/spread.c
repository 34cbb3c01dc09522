// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * spread.c: how evenly the hashes of proto/flow.c spread: seed 3's tables, its finding on service ports that are
 * multiples of 0x200, and QPs over the members of an ECMP group.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flow.h"

#define LABELS	(SMRC_FLOW_LABEL_MASK + 1)
#define PORTS	16384		/* ephemeral ones */
#define SALTS	200		/* switches whose hash differs */

static const char * const names[SMRC_FLOW_HASHES] = { "product_fold", "product", "src31" };

static u32 label_hits[LABELS], port_hits[PORTS], thread_hits[PORTS];

/*
 * The port as the program of the thread must have made it: its figures come out when the label's upper part, 0xfc000,
 * is kept in 16 bits, so that two of its six bits are folded in.
 */
static u32 thread_port(u32 label)
{
	u16 high = label & 0xfc000;

	return (label & 0x3fff) ^ high >> 14;
}

/* What the figures of the thread are: the sum of n x n / 2 rounded up, over all slots. */
static void tally(const u32 *hits, u32 slots, u32 *max, u64 *total)
{
	u32 i;

	*max = 0;
	*total = 0;
	for (i = 0; i < slots; i++) {
		*total += ((u64)hits[i] * hits[i] + 1) / 2;
		if (hits[i] > *max)
			*max = hits[i];
	}
}

static void connections(enum smrc_flow_hash kind, u16 dst, u32 first, u32 last)
{
	u32 src, label;

	memset(label_hits, 0, sizeof(label_hits));
	memset(port_hits, 0, sizeof(port_hits));
	memset(thread_hits, 0, sizeof(thread_hits));
	for (src = first; src <= last; src++) {
		label = smrc_flow_label_cm(kind, dst, src);
		label_hits[label]++;
		port_hits[smrc_flow_sport(label) - SMRC_FLOW_PORT_BASE]++;
		thread_hits[thread_port(label)]++;
	}
}

static void row(FILE *f, enum smrc_flow_hash kind, u16 dst)
{
	u64 label_total, port_total, thread_total;
	u32 label_max, port_max, thread_max;

	tally(label_hits, LABELS, &label_max, &label_total);
	tally(port_hits, PORTS, &port_max, &port_total);
	tally(thread_hits, PORTS, &thread_max, &thread_total);
	fprintf(f, "%s,%u,%u,%llu,%u,%llu,%u,%llu\n", names[kind], dst, label_max, (unsigned long long)label_total,
		port_max, (unsigned long long)port_total, thread_max, (unsigned long long)thread_total);
}

static FILE *open_csv(const char *dir, const char *name, const char *head)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "w");
	if (!f)
		err(1, "%s", path);
	fprintf(f, "%s\n", head);
	return f;
}

#define HEAD	"hash,dport,label_max,label_total,port_max,port_total,thread_max,thread_total"

static void write_tables(const char *dir)
{
	static const u16 ports[] = {
		18431, 18432, 18515, 18516, 18517, 18518, 18519, 18520, 18521, 18522, 18523, 18524,
	};
	FILE *f = open_csv(dir, "tables.csv", HEAD);
	u32 kind, i;

	for (kind = 0; kind < SMRC_FLOW_HASHES; kind++) {
		for (i = 0; i < sizeof(ports) / sizeof(*ports); i++) {
			connections(kind, ports[i], 32768, 65533);
			row(f, kind, ports[i]);
		}
	}
	fclose(f);
}

/* Every multiple of 0x200, and of the others as many. */
static void write_multiples(const char *dir)
{
	FILE *f = open_csv(dir, "multiples.csv", HEAD);
	u32 kind, dst;

	for (kind = 0; kind < SMRC_FLOW_HASHES; kind++) {
		for (dst = 0x600; dst < 0x10000; dst += 0x200) {
			connections(kind, dst, 0xc000, 0xffff);
			row(f, kind, dst);
			connections(kind, dst + 0x101, 0xc000, 0xffff);
			row(f, kind, dst + 0x101);
		}
	}
	fclose(f);
}

/* What a switch makes of a port: any good hash will do. */
static u32 mix(u32 h, u32 salt)
{
	h ^= salt * 0x9e3779b1U;
	h = (h ^ h >> 16) * 0x85ebca6bU;
	h = (h ^ h >> 13) * 0xc2b2ae35U;
	return h ^ h >> 16;
}

/* Load of the fullest member against the mean, on average over switches. */
static double fullest(const u16 *ports, u32 n, u32 members)
{
	u32 load[64], salt, i, max;
	double sum = 0;

	for (salt = 0; salt < SALTS; salt++) {
		memset(load, 0, sizeof(load));
		for (i = 0; i < n; i++)
			load[mix(ports[i], salt) % members]++;
		for (i = 0, max = 0; i < members; i++)
			max = load[i] > max ? load[i] : max;
		sum += (double)max * members / n;
	}
	return sum / SALTS;
}

/*
 * 64 QPs made one after another at both ends, as programs make them; beside them one QP that sprays over 75 and 128
 * values.
 */
static void write_members(const char *dir)
{
	FILE *f = open_csv(dir, "members.csv", "members,product_fold,product,src31,spray_75,spray_128");
	u16 ports[SMRC_FLOW_HASHES][64], values[128];
	u32 kind, i, n;

	for (kind = 0; kind < SMRC_FLOW_HASHES; kind++)
		for (i = 0; i < 64; i++)
			ports[kind][i] = smrc_flow_qp_sport(kind, 0, 17 + i, 17 + i);
	for (i = 0; i < 128; i++)
		values[i] = SMRC_FLOW_PORT_BASE + i;
	for (n = 2; n <= 64; n *= 2) {
		fprintf(f, "%u", n);
		for (kind = 0; kind < SMRC_FLOW_HASHES; kind++)
			fprintf(f, ",%.3f", fullest(ports[kind], 64, n));
		fprintf(f, ",%.3f,%.3f\n", fullest(values, 75, n), fullest(values, 128, n));
	}
	fclose(f);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		errx(1, "usage: spread FOLDER");
	write_tables(argv[1]);
	write_multiples(argv[1]);
	write_members(argv[1]);
	return 0;
}
