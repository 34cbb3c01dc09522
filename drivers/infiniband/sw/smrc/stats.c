// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * stats.c: counters: what "rdma statistic show" and ports/1/hw_counters print.
 */
#include <linux/math64.h>
#include <rdma/ib_verbs.h>

#include "smrc.h"

static const struct rdma_stat_desc smrc_stat_descs[] = {
#define X(id, _name, text) { .name = #_name },
	SMRC_COUNTERS(X)
#undef X
};

static_assert(ARRAY_SIZE(smrc_stat_descs) == SMRC_CNT_NUM);

/**
 * smrc_count_max() - raise a counter that is a maximum
 * @dev: the device
 * @id: SMRC_CNT_REORDER_MAX
 * @value: what was seen
 *
 * Context: any in which the CPU does not change.
 */
void smrc_count_max(struct smrc_dev *dev, enum smrc_counter id, u64 value)
{
	if (value > this_cpu_read(dev->stats->cnt[id]))
		this_cpu_write(dev->stats->cnt[id], value);
}

/**
 * smrc_alloc_hw_port_stats() - verbs alloc_hw_port_stats
 * @ibdev: the device
 * @port: 1
 *
 * A life span of 0: what is read is never a copy of earlier.
 *
 * Return: the table core fills in through smrc_get_hw_stats(), or NULL.
 */
struct rdma_hw_stats *smrc_alloc_hw_port_stats(struct ib_device *ibdev, u32 port)
{
	return rdma_alloc_hw_stats_struct(smrc_stat_descs, ARRAY_SIZE(smrc_stat_descs), 0);
}

static u64 smrc_stat_counted(const struct smrc_dev *dev, enum smrc_counter id)
{
	u64 value, all = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		value = READ_ONCE(per_cpu_ptr(dev->stats, cpu)->cnt[id]);
		all = id == SMRC_CNT_REORDER_MAX ? max(all, value) : all + value;
	}
	return all;
}

static u64 smrc_stat(const struct smrc_dev *dev, enum smrc_counter id)
{
	u64 events;

	if (id != SMRC_CNT_REORDER_MEAN)
		return smrc_stat_counted(dev, id);
	events = smrc_stat_counted(dev, SMRC_CNT_OOO);
	return events ? div64_u64(smrc_stat_counted(dev, SMRC_CNT_REORDER_SUM), events) : 0;
}

/**
 * smrc_get_hw_stats() - verbs get_hw_stats
 * @ibdev: the device
 * @stats: to fill in
 * @port: 1
 * @index: unused, all are as cheap as one
 *
 * Return: number of counters filled in; -EINVAL for the device as a whole, which has none.
 */
int smrc_get_hw_stats(struct ib_device *ibdev, struct rdma_hw_stats *stats, u32 port, int index)
{
	struct smrc_dev *dev = to_smrc_dev(ibdev);
	enum smrc_counter id;

	if (!port || !stats)
		return -EINVAL;
	for (id = 0; id < SMRC_CNT_NUM; id++)
		stats->value[id] = smrc_stat(dev, id);
	return SMRC_CNT_NUM;
}
