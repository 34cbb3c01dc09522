// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
/*
 * What two programs or two machines must agree on: sizes and offsets of the structures of the user ABI and of the wire,
 * written down a second time.
 */
#include <rdma/smrc-abi.h>

#include <kunit/test.h>
#include <linux/stddef.h>

#include "wire.h"

struct abi_field {
	const char	*name;
	u32		got;
	u32		want;
};

#define SIZE(_type, _want)		{ "sizeof " #_type, sizeof(struct _type), (_want) }
#define AT(_type, _field, _want)	{ #_type "." #_field, offsetof(struct _type, _field), (_want) }

static const struct abi_field abi_user[] = {
	SIZE(smrc_alloc_ucontext_req, 8),
	AT(smrc_alloc_ucontext_req, abi_version, 0),
	AT(smrc_alloc_ucontext_req, reserved_04, 4),

	SIZE(smrc_alloc_ucontext_resp, 16),
	AT(smrc_alloc_ucontext_resp, comp_mask, 0),
	AT(smrc_alloc_ucontext_resp, magic, 8),
	AT(smrc_alloc_ucontext_resp, abi_version, 12),

	SIZE(smrc_ring, 192),
	AT(smrc_ring, prod, 0),
	AT(smrc_ring, reserved_04, 4),
	AT(smrc_ring, cons, 64),
	AT(smrc_ring, reserved_44, 0x44),
	AT(smrc_ring, flags, 128),
	AT(smrc_ring, arm, 0x84),
	AT(smrc_ring, reserved_88, 0x88),

	SIZE(smrc_ring_map, 24),
	AT(smrc_ring_map, offset, 0),
	AT(smrc_ring_map, size, 8),
	AT(smrc_ring_map, entries, 12),
	AT(smrc_ring_map, stride, 16),
	AT(smrc_ring_map, reserved_14, 0x14),

	SIZE(smrc_create_cq_resp, 32),
	AT(smrc_create_cq_resp, comp_mask, 0),
	AT(smrc_create_cq_resp, cq, 8),

	SIZE(smrc_resize_cq_resp, 32),
	AT(smrc_resize_cq_resp, comp_mask, 0),
	AT(smrc_resize_cq_resp, cq, 8),

	SIZE(smrc_create_qp_resp, 56),
	AT(smrc_create_qp_resp, comp_mask, 0),
	AT(smrc_create_qp_resp, sq, 8),
	AT(smrc_create_qp_resp, rq, 32),

	SIZE(smrc_sge, 16),
	AT(smrc_sge, addr, 0),
	AT(smrc_sge, length, 8),
	AT(smrc_sge, lkey, 12),

	SIZE(smrc_send_wqe, 64),
	AT(smrc_send_wqe, wr_id, 0),
	AT(smrc_send_wqe, opcode, 8),
	AT(smrc_send_wqe, send_flags, 12),
	AT(smrc_send_wqe, imm, 16),
	AT(smrc_send_wqe, num_sge, 20),
	AT(smrc_send_wqe, inline_len, 24),
	AT(smrc_send_wqe, rkey, 28),
	AT(smrc_send_wqe, remote_addr, 32),
	AT(smrc_send_wqe, compare_add, 40),
	AT(smrc_send_wqe, swap, 48),
	AT(smrc_send_wqe, reserved_38, 0x38),
	AT(smrc_send_wqe, sge, 64),

	SIZE(smrc_recv_wqe, 16),
	AT(smrc_recv_wqe, wr_id, 0),
	AT(smrc_recv_wqe, num_sge, 8),
	AT(smrc_recv_wqe, reserved_0c, 0x0c),
	AT(smrc_recv_wqe, sge, 16),

	SIZE(smrc_cqe, 64),
	AT(smrc_cqe, wr_id, 0),
	AT(smrc_cqe, timestamp, 8),
	AT(smrc_cqe, status, 16),
	AT(smrc_cqe, opcode, 20),
	AT(smrc_cqe, byte_len, 24),
	AT(smrc_cqe, vendor_err, 28),
	AT(smrc_cqe, imm, 32),
	AT(smrc_cqe, qpn, 36),
	AT(smrc_cqe, src_qpn, 40),
	AT(smrc_cqe, wc_flags, 44),
	AT(smrc_cqe, reserved_30, 0x30),
};

static const struct abi_field abi_wire[] = {
	SIZE(smrc_bth, 12),
	AT(smrc_bth, opcode, 0),
	AT(smrc_bth, flags, 1),
	AT(smrc_bth, pkey, 2),
	AT(smrc_bth, dqpn, 4),
	AT(smrc_bth, apsn, 8),

	SIZE(smrc_meth, 4),
	AT(smrc_meth, rqmsn, 0),
	AT(smrc_meth, msn, 2),

	SIZE(smrc_tseth, 4),
	AT(smrc_tseth, ts, 0),
	AT(smrc_tseth, flags, 2),

	SIZE(smrc_reth, 16),
	AT(smrc_reth, va, 0),
	AT(smrc_reth, rkey, 8),
	AT(smrc_reth, len, 12),

	SIZE(smrc_immdt, 4),
	SIZE(smrc_aeth, 4),

	SIZE(smrc_seth, 28),
	AT(smrc_seth, type_nxt, 0),
	AT(smrc_seth, flags, 1),
	AT(smrc_seth, ack_psn_offset, 2),
	AT(smrc_seth, entropy, 4),
	AT(smrc_seth, spdcid, 8),
	AT(smrc_seth, dpdcid, 10),
	AT(smrc_seth, cack, 12),
	AT(smrc_seth, cc_type, 16),
	AT(smrc_seth, mpr, 17),
	AT(smrc_seth, sack_offset, 18),
	AT(smrc_seth, bitmap, 20),

	SIZE(smrc_ccst, 8),
	AT(smrc_ccst, ts, 0),
	AT(smrc_ccst, ooo, 2),
	AT(smrc_ccst, pen, 4),
	AT(smrc_ccst, rcvd_bytes, 5),

	SIZE(smrc_neth, 20),
	AT(smrc_neth, type_nxt, 0),
	AT(smrc_neth, reason, 2),
	AT(smrc_neth, vendor, 3),
	AT(smrc_neth, entropy, 4),
	AT(smrc_neth, spdcid, 8),
	AT(smrc_neth, dpdcid, 10),
	AT(smrc_neth, nack_psn, 12),
	AT(smrc_neth, cc_type, 16),
	AT(smrc_neth, ts, 18),

	SIZE(smrc_peth, 16),
	AT(smrc_peth, vendor, 3),
	AT(smrc_peth, probe_id, 4),
	AT(smrc_peth, spdcid, 8),
	AT(smrc_peth, dpdcid, 10),
	AT(smrc_peth, ts, 12),
	AT(smrc_peth, flags, 14),

	SIZE(smrc_erth, 16),
	AT(smrc_erth, op, 0),
	AT(smrc_erth, port_mask, 4),
	AT(smrc_erth, caps, 8),
	AT(smrc_erth, ts, 12),
	AT(smrc_erth, mpr, 14),

	SIZE(smrc_eeth, 36),
	AT(smrc_eeth, op, 0),
	AT(smrc_eeth, data, 4),
	AT(smrc_eeth, ts, 28),
	AT(smrc_eeth, rsvd1, 30),
	AT(smrc_eeth, rsvd2, 32),
};

static void abi_field_desc(const struct abi_field *p, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s", p->name);
}

KUNIT_ARRAY_PARAM(abi_user, abi_user, abi_field_desc);
KUNIT_ARRAY_PARAM(abi_wire, abi_wire, abi_field_desc);

static void abi_user__layout(struct kunit *test)
{
	const struct abi_field *p = test->param_value;

	KUNIT_EXPECT_EQ(test, p->got, p->want);
}

static void abi_user__numbers(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, SMRC_ABI_VERSION, 1);
	KUNIT_EXPECT_EQ(test, SMRC_ABI_MAGIC, 0x534d5243);
	KUNIT_EXPECT_EQ(test, SMRC_RDMA_DRIVER_ID, 0x534d);
	KUNIT_EXPECT_EQ(test, (size_t)SMRC_RING_HDR, sizeof(struct smrc_ring));
	KUNIT_EXPECT_EQ(test, SMRC_RING_NEED_KICK, 1U);
	KUNIT_EXPECT_EQ(test, (size_t)SMRC_MAX_INLINE, SMRC_MAX_SGE * sizeof(struct smrc_sge));
}

static void abi_wire__layout(struct kunit *test)
{
	const struct abi_field *p = test->param_value;

	KUNIT_EXPECT_EQ(test, p->got, p->want);
}

/* Frame and packet lengths as seed 1 gives them: SACK 94, probe 74 (Ethernet over IPv4), full packet MSS + 60. */
static void abi_wire__seed_lengths(struct kunit *test)
{
	u32 udp_ip = 20 + 8, icrc = SMRC_ICRC_LEN, bth = sizeof(struct smrc_bth);

	KUNIT_EXPECT_EQ(test, 14 + udp_ip + bth + sizeof(struct smrc_seth) + sizeof(struct smrc_ccst) + icrc, 94UL);
	KUNIT_EXPECT_EQ(test, 14 + udp_ip + bth + sizeof(struct smrc_peth) + icrc, 74UL);
	KUNIT_EXPECT_EQ(test, udp_ip + bth + sizeof(struct smrc_meth) + sizeof(struct smrc_reth), 60UL);
	KUNIT_EXPECT_EQ(test, udp_ip + bth + sizeof(struct smrc_neth) + icrc, 64UL);
	KUNIT_EXPECT_EQ(test, udp_ip + bth + sizeof(struct smrc_aeth) + icrc, 48UL);
}

static struct kunit_case abi_cases[] = {
	KUNIT_CASE_PARAM(abi_user__layout, abi_user_gen_params),
	KUNIT_CASE(abi_user__numbers),
	KUNIT_CASE_PARAM(abi_wire__layout, abi_wire_gen_params),
	KUNIT_CASE(abi_wire__seed_lengths),
	{}
};

static struct kunit_suite abi_suite = {
	.name = "smrc_abi",
	.test_cases = abi_cases,
};

kunit_test_suite(abi_suite);
