// SPDX-License-Identifier: GPL-2.0 OR Linux-OpenIB
#include "icrc.c"

#include <kunit/test.h>

#define V4	{ .id = cpu_to_be16(0x1234), .frag_off = cpu_to_be16(0x4000), \
		  .saddr = { 10, 0, 0, 1 }, .daddr = { 10, 0, 0, 2 } }
#define V4_ZERO	{ .saddr = { 10, 0, 0, 1 }, .daddr = { 10, 0, 0, 2 } }
#define V6	{ .v6 = true, .saddr = { 0xfd, [15] = 1 }, .daddr = { 0xfd, [15] = 2 } }

static const u8 icrc_write_16[] = {
	0xca, 0x40, 0xff, 0xff, 0x00, 0x00, 0x00, 0x12, 0x00, 0x00, 0x00, 0x05, 0x00, 0x00, 0x00, 0x0c,
	0xff, 0xff, 0x88, 0x80, 0x12, 0x34, 0x56, 0x78, 0x00, 0xab, 0xcd, 0x01, 0x00, 0x00, 0x00, 0x10,
};

static const u8 icrc_write_5[] = {
	0xca, 0x70, 0xff, 0xff, 0x00, 0x00, 0x00, 0x12, 0x00, 0x00, 0x00, 0x05, 0x00, 0x00, 0x00, 0x0c,
	0xff, 0xff, 0x88, 0x80, 0x12, 0x34, 0x56, 0x78, 0x00, 0xab, 0xcd, 0x01, 0x00, 0x00, 0x00, 0x05,
};

static const u8 icrc_write_first[] = {
	0xc6, 0x40, 0xff, 0xff, 0x00, 0x00, 0x00, 0x12, 0x00, 0x80, 0x00, 0x00, 0x00, 0x00, 0x00, 0x0b,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x10, 0x00, 0x00, 0xab, 0xcd, 0x01, 0x00, 0x00, 0x20, 0x00,
};

static const u8 icrc_sack[] = {
	0xdc, 0x40, 0xff, 0xff, 0x00, 0x00, 0x00, 0x12, 0x00, 0x00, 0x00, 0x00, 0x00, 0x20, 0x00, 0x05,
	0x00, 0x00, 0xc0, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0xff, 0xff, 0xfe, 0x00, 0x08, 0x00, 0x01,
	0x80, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x10, 0xbe, 0xef, 0x7f, 0xff, 0x00, 0x01, 0x02, 0x03,
};

static const u8 icrc_probe[] = {
	0xde, 0x40, 0xff, 0xff, 0x00, 0x00, 0x00, 0x12, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	0xfe, 0xdc, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x0a, 0x0b, 0x00, 0x01,
};

/*
 * ICRCs of hardware: a CNP of a ConnectX-4 Lx with the BECN bit set in the byte that is masked, and an UC packet, as
 * published with their bytes among the tests of the packet tool scapy.
 */
static const u8 icrc_cnp[28] = { 0x81, 0x00, 0xff, 0xff, 0x40, 0x00, 0x01, 0x18 };

static const u8 icrc_uc[] = {
	0x24, 0x60, 0xff, 0xff, 0x00, 0x00, 0x00, 0xd3, 0x00, 0xcf, 0x17, 0x10, 0x46, 0x30, 0x81, 0x8b,
	0xe2, 0x89, 0x35, 0xd9, 0x0e, 0x9a, 0x95, 0x50, 0x54, 0x01, 0xbe, 0x88, 0x5e, 0x50, 0x00, 0x00,
};

#define V4_CNP	{ .id = cpu_to_be16(0x718c), .frag_off = cpu_to_be16(0x4000), \
		  .saddr = { 10, 0, 17, 1 }, .daddr = { 10, 0, 18, 1 } }
#define V4_UC	{ .id = cpu_to_be16(1144), .frag_off = cpu_to_be16(0x4000), \
		  .saddr = { 192, 168, 0, 7 }, .daddr = { 192, 168, 0, 7 } }

/* Byte i of a payload is 7 * i. The ICRCs of our own packets come from a program that shares nothing with icrc.c. */
static const struct icrc_row {
	const char		*name;
	struct smrc_icrc_ip	ip;
	u16			sport;
	u16			dport;
	const u8		*hdr;
	u32			hdr_len;
	u32			len;		/* payload */
	u8			icrc[4];
} icrc_rows[] = {
	{ "CNP of a ConnectX-4 Lx", V4_CNP, 0, 4791, icrc_cnp, sizeof(icrc_cnp), 0, { 0x82, 0xfd, 0x00, 0x2a } },
	{ "UC packet", V4_UC, 49152, 4791, icrc_uc, sizeof(icrc_uc), 0, { 0x78, 0xf3, 0x53, 0xf3 } },
	{ "IPv4, 16 bytes", V4, 0xc001, 4791, icrc_write_16, sizeof(icrc_write_16), 16, { 0xc7, 0xc4, 0xfc, 0x38 } },
	{ "IPv4, 5 bytes and pad", V4, 0xc001, 4791, icrc_write_5, sizeof(icrc_write_5), 5,
	  { 0x04, 0xf1, 0xe5, 0xe4 } },
	{ "IPv4, another port", V4, 0xc002, 4791, icrc_write_5, sizeof(icrc_write_5), 5, { 0xab, 0xec, 0x6e, 0x5f } },
	{ "IPv4, SACK", V4, 0xc001, 4791, icrc_sack, sizeof(icrc_sack), 0, { 0xdb, 0x2f, 0x0d, 0x8c } },
	{ "IPv4, probe", V4, 0x0100, 4791, icrc_probe, sizeof(icrc_probe), 0, { 0xee, 0x8c, 0x54, 0xa4 } },
	{ "IPv4, 4096 bytes", V4, 0xffff, 4791, icrc_write_first, sizeof(icrc_write_first), 4096,
	  { 0x29, 0xce, 0xe1, 0x49 } },
	{ "IPv4, id and fragment word 0", V4_ZERO, 0xc001, 4791, icrc_write_16, sizeof(icrc_write_16), 16,
	  { 0x02, 0x25, 0xad, 0x3c } },
	{ "IPv4, alternative port", V4, 0xc001, 4971, icrc_write_16, sizeof(icrc_write_16), 16,
	  { 0x1f, 0xba, 0xd3, 0x6c } },
	{ "IPv6, 16 bytes", V6, 0xc001, 4791, icrc_write_16, sizeof(icrc_write_16), 16, { 0x4c, 0x3d, 0x79, 0x91 } },
	{ "IPv6, 5 bytes and pad", V6, 0xc001, 4791, icrc_write_5, sizeof(icrc_write_5), 5,
	  { 0x0e, 0x50, 0xe4, 0xc1 } },
	{ "IPv6, another port", V6, 0xc002, 4791, icrc_write_5, sizeof(icrc_write_5), 5, { 0xa1, 0x4d, 0x6f, 0x7a } },
	{ "IPv6, SACK", V6, 0xc001, 4791, icrc_sack, sizeof(icrc_sack), 0, { 0x50, 0xd6, 0x88, 0x25 } },
	{ "IPv6, probe", V6, 0x0100, 4791, icrc_probe, sizeof(icrc_probe), 0, { 0x0b, 0x6c, 0x67, 0xd2 } },
	{ "IPv6, 4096 bytes", V6, 0xffff, 4791, icrc_write_first, sizeof(icrc_write_first), 4096,
	  { 0xe4, 0x48, 0x8e, 0x0f } },
};

static void icrc_row_desc(const struct icrc_row *p, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "%s", p->name);
}

KUNIT_ARRAY_PARAM(icrc_row, icrc_rows, icrc_row_desc);

static u8 *icrc_payload(struct kunit *test, u32 *len)
{
	u32 i, padded = (*len + 3) & ~3U;
	u8 *p = kunit_kzalloc(test, padded + 1, GFP_KERNEL);

	for (i = 0; p && i < *len; i++)
		p[i] = 7 * i;
	*len = padded;
	return p;
}

static u32 icrc_begin(const struct icrc_row *p, u32 padded)
{
	u16 udp_len = 8 + p->hdr_len + padded + SMRC_ICRC_LEN;

	return smrc_icrc_begin(&p->ip, p->sport, p->dport, udp_len, p->hdr, sizeof(struct smrc_bth));
}

static void icrc__golden(struct kunit *test)
{
	const struct icrc_row *p = test->param_value;
	u32 crc, len = p->len;
	u8 *payload;
	__le32 icrc;

	payload = icrc_payload(test, &len);
	KUNIT_ASSERT_NOT_NULL(test, payload);
	crc = icrc_begin(p, len);
	crc = smrc_icrc_update(crc, p->hdr + 12, p->hdr_len - 12);
	crc = smrc_icrc_update(crc, payload, len);
	icrc = smrc_icrc_end(crc);
	KUNIT_EXPECT_MEMEQ(test, (u8 *)&icrc, p->icrc, 4);
}

/* Cut anywhere, the bytes give the same ICRC; a receiver that takes in the ICRC itself ends at the CRC's constant. */
static void icrc_update__pieces(struct kunit *test)
{
	const struct icrc_row *p = test->param_value;
	u32 crc, i, len = p->len;
	u8 *payload;
	__le32 icrc;

	payload = icrc_payload(test, &len);
	KUNIT_ASSERT_NOT_NULL(test, payload);
	crc = icrc_begin(p, len);
	for (i = 12; i < p->hdr_len; i++)
		crc = smrc_icrc_update(crc, p->hdr + i, 1);
	crc = smrc_icrc_update(crc, payload, len / 3);
	crc = smrc_icrc_update(crc, payload, 0);
	crc = smrc_icrc_update(crc, payload + len / 3, len - len / 3);
	icrc = smrc_icrc_end(crc);
	KUNIT_EXPECT_MEMEQ(test, (u8 *)&icrc, p->icrc, 4);
	KUNIT_EXPECT_EQ(test, smrc_icrc_update(crc, &icrc, 4), 0xdebb20e3U);
}

/* However much of the packet begin is given, the ICRC is the same. */
static void icrc_begin__joined(struct kunit *test)
{
	const struct icrc_row *p = test->param_value;
	u32 crc, n, total, len = p->len;
	u8 *payload, *all;
	__le32 icrc;

	payload = icrc_payload(test, &len);
	KUNIT_ASSERT_NOT_NULL(test, payload);
	total = p->hdr_len + len;
	all = kunit_kzalloc(test, total, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, all);
	memcpy(all, p->hdr, p->hdr_len);
	memcpy(all + p->hdr_len, payload, len);
	for (n = sizeof(struct smrc_bth); n <= total; n++) {
		crc = smrc_icrc_begin(&p->ip, p->sport, p->dport, 8 + total + SMRC_ICRC_LEN, all, n);
		icrc = smrc_icrc_end(smrc_icrc_update(crc, all + n, total - n));
		KUNIT_ASSERT_MEMEQ(test, (u8 *)&icrc, p->icrc, 4);
	}
}

/* CRC-32 a bit at a time: polynomial 0x04c11db7, least significant bit first. */
static u32 icrc_bitwise(u32 crc, const u8 *p, u32 len)
{
	u32 i;

	while (len--) {
		crc ^= *p++;
		for (i = 0; i < 8; i++)
			crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
	}
	return crc;
}

/* The masked headers again, byte for byte. */
static void icrc_begin__v4_bytes(struct kunit *test)
{
	static const u8 bytes[] = {
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		0x45, 0xff, 0x00, 0x50, 0x12, 0x34, 0x40, 0x00, 0xff, 0x11, 0xff, 0xff, 10, 0, 0, 1, 10, 0, 0, 2,
		0xc0, 0x01, 0x12, 0xb7, 0x00, 0x3c, 0xff, 0xff,
		0xca, 0x40, 0xff, 0xff, 0xff, 0x00, 0x00, 0x12, 0x00, 0x00, 0x00, 0x05,
	};
	struct smrc_icrc_ip ip = V4;

	KUNIT_EXPECT_EQ(test, smrc_icrc_begin(&ip, 0xc001, 4791, 60, icrc_write_16, 12),
			icrc_bitwise(~0U, bytes, sizeof(bytes)));
}

static void icrc_begin__v6_bytes(struct kunit *test)
{
	static const u8 bytes[] = {
		0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
		0x6f, 0xff, 0xff, 0xff, 0x00, 0x3c, 0x11, 0xff,
		0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1,
		0xfd, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2,
		0xc0, 0x01, 0x12, 0xb7, 0x00, 0x3c, 0xff, 0xff,
		0xca, 0x40, 0xff, 0xff, 0xff, 0x00, 0x00, 0x12, 0x00, 0x00, 0x00, 0x05,
	};
	struct smrc_icrc_ip ip = V6;

	KUNIT_EXPECT_EQ(test, smrc_icrc_begin(&ip, 0xc001, 4791, 60, icrc_write_16, 12),
			icrc_bitwise(~0U, bytes, sizeof(bytes)));
}

/* What may change on the way does not count, what may not does. */
static void icrc_begin__coverage(struct kunit *test)
{
	struct smrc_icrc_ip ip = V4, ip6 = V6, other;
	u32 i, crc, crc6;
	u8 bth[12];

	crc = smrc_icrc_begin(&ip, 0xc001, 4791, 60, icrc_write_16, 12);
	crc6 = smrc_icrc_begin(&ip6, 0xc001, 4791, 60, icrc_write_16, 12);
	for (i = 0; i < 12; i++) {
		memcpy(bth, icrc_write_16, 12);
		bth[i] ^= 0x5a;
		KUNIT_EXPECT_EQ_MSG(test, smrc_icrc_begin(&ip, 0xc001, 4791, 60, bth, 12) == crc, i == 4, "byte %u", i);
	}
	for (i = 0; i < 16; i++) {
		other = ip;
		other.saddr[i] ^= 1;
		KUNIT_EXPECT_EQ_MSG(test, smrc_icrc_begin(&other, 0xc001, 4791, 60, icrc_write_16, 12) == crc, i >= 4,
				    "IPv4 source byte %u", i);
		other = ip6;
		other.daddr[i] ^= 1;
		KUNIT_EXPECT_NE_MSG(test, smrc_icrc_begin(&other, 0xc001, 4791, 60, icrc_write_16, 12), crc6,
				    "IPv6 destination byte %u", i);
	}
	KUNIT_EXPECT_NE(test, smrc_icrc_begin(&ip, 0xc002, 4791, 60, icrc_write_16, 12), crc);
	KUNIT_EXPECT_NE(test, smrc_icrc_begin(&ip, 0xc001, 4971, 60, icrc_write_16, 12), crc);
	KUNIT_EXPECT_NE(test, smrc_icrc_begin(&ip, 0xc001, 4791, 64, icrc_write_16, 12), crc);
}

static struct kunit_case icrc_cases[] = {
	KUNIT_CASE_PARAM(icrc__golden, icrc_row_gen_params),
	KUNIT_CASE(icrc_begin__v4_bytes),
	KUNIT_CASE(icrc_begin__v6_bytes),
	KUNIT_CASE(icrc_begin__coverage),
	KUNIT_CASE_PARAM(icrc_update__pieces, icrc_row_gen_params),
	KUNIT_CASE_PARAM(icrc_begin__joined, icrc_row_gen_params),
	{}
};

static struct kunit_suite icrc_suite = {
	.name = "smrc_icrc",
	.test_cases = icrc_cases,
};

kunit_test_suite(icrc_suite);
