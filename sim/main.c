// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/* main.c: the simulator of whole networks (Documentation/simulator.rst): options, a run, its result */
#include <time.h>

#include "endpoint.h"

static double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	static struct sim_options o;
	static struct sim s;
	double wall, cpu;
	bool all;

	options_parse(&o, argc, argv);
	sim_init(&s, &o);
	wall = seconds(CLOCK_MONOTONIC);
	cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
	sim_run(&s);
	output(&s, seconds(CLOCK_MONOTONIC) - wall, seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu);
	all = sim_all_done(&s);
	sim_free(&s);
	return all ? 0 : 3;
}
