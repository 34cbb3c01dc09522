// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* main.c: the simulator of whole networks (Documentation/simulator.rst): options, a run, its result */
#include <time.h>

#include "endpoint.h"

static double wall(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	static struct sim_options o;
	static struct sim s;
	double start;
	u32 failed;

	options_parse(&o, argc, argv);
	sim_init(&s, &o);
	start = wall();
	sim_run(&s);
	output(&s, wall() - start);
	failed = s.running;
	sim_free(&s);
	return failed ? 3 : 0;
}
