/* Fractions, and the time of counts that are fractions. */
#include "sim/machine/transfer.h"
#include "tests/models/rows.h"

TEST(common)
{
    for (gint64 a = 1; a <= 40; a++)
        for (gint64 b = 1; b <= 40; b++) {
            gint64 divisor = MIN(a, b), multiple = MAX(a, b);
            while (a % divisor || b % divisor)
                divisor--;
            while (multiple % a || multiple % b)
                multiple++;
            ck_assert_int_eq(common_divisor(a, b), divisor);
            ck_assert_int_eq(common_multiple(a, b), multiple);
        }
    ck_assert_int_eq(common_divisor(12, 0), 12);
}

TEST(sums)
{
    assert_rational(rational_add((Rational){1, 6}, (Rational){3, 4}), 11, 12, "1/6 + 3/4");
    assert_rational(rational_add((Rational){1, 6}, (Rational){4, 6}), 5, 6, "1/6 + 4/6");
    ck_assert_double_eq(rational_real((Rational){7, 4}), 1.75);
}

TEST(packets)
{
    ck_assert_int_eq((gint64)transfer_packets((Rational){10, 3}, 0), 1);
    ck_assert_int_eq((gint64)transfer_packets((Rational){0, 3}, 2), 1);
    ck_assert_int_eq((gint64)transfer_packets((Rational){12, 3}, 2), 2);
    ck_assert_int_eq((gint64)transfer_packets((Rational){13, 3}, 2), 3);
}

/* Rounded up once: fractions of two thirds are 2 together, not 1 each or more. */
TEST(rounding)
{
    static const struct {
        Rational bytes, startups;
        gint64 tau, lambda, ps;
    } cases[] = {
        {{2, 3}, {4, 3}, 1, 1, 2},
        {{2, 3}, {2, 3}, 1, 1, 2},
        {{1, 3}, {1, 3}, 1, 1, 1},
        {{1, 3}, {2, 3}, 10, 10, 10},
        {{1, 3}, {1, 2}, 7, 5, 5},      /* 29/6 */
        {{5, 1}, {7, 1}, 0, 0, 0},
        {{1, 1}, {0, 1}, INPUT_TIME_MAX_PS - 1, 0, INPUT_TIME_MAX_PS - 1},
        {{1, 1}, {1, 1}, INPUT_TIME_MAX_PS - 1, 2, INPUT_TIME_MAX_PS},
        {{(__int128)1 << 73, 1}, {1, 1}, INPUT_TIME_MAX_PS, 1, INPUT_TIME_MAX_PS},
        {{(__int128)1 << 73, 1}, {3, 2}, 0, 1, 2},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        MachineTerms terms = {.tau_fs_per_byte = cases[i].tau * MACHINE_FS_PER_PS, .lambda_ps = cases[i].lambda};
        ck_assert_int_eq(transfer_ps((TransferCount){cases[i].bytes, cases[i].startups}, &terms), cases[i].ps);
    }
}

/* The time of bytes at a price in fs, start-ups of 1 ps, and `more`, is rounded up once. */
TEST(parts_of_picoseconds)
{
    static const struct {
        Rational bytes, startups;
        gint64 tau_fs;
        double more;
        gint64 ps;
    } cases[] = {
        {{3, 1}, {0, 1}, 1500, 0, 5},       /* 4.5 */
        {{1, 1}, {1, 2}, 500, 0, 1},        /* 1/2 + 1/2 */
        {{1, 1}, {1, 2}, 501, 0, 2},
        {{1, 3}, {2, 3}, 1000, 0, 1},       /* 1/3 + 2/3 */
        {{1, 3}, {2, 3}, 1001, 0, 2},
        {{4, 3}, {1, 2}, 375, 0, 1},        /* 0.5 + 1/2 */
        {{1000000, 1}, {0, 1}, 200, 0, 200000},
        {{1, 1}, {1, 4}, 250, 0.5, 1},
        {{1, 1}, {1, 4}, 251, 0.5, 2},
        {{1, (gint64)1 << 62}, {((gint64)1 << 62) - 1, (gint64)1 << 62}, 1000, 0, 1},
        {{1, (gint64)1 << 62}, {((gint64)1 << 62) - 1, (gint64)1 << 62}, 1001, 0, 2},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        MachineTerms terms = {.tau_fs_per_byte = cases[i].tau_fs, .lambda_ps = 1};
        ck_assert_msg(transfer_ps_and((TransferCount){cases[i].bytes, cases[i].startups}, &terms, cases[i].more) ==
                      cases[i].ps, "case %u", i);
    }
}

TEST(machine_limits)
{
    Machine machine = {.short_limit = 10, .terms = {5, 2000, 0}, .short_terms = {3, 4000, 0}, .lambda_zero_ps = 1,
                       .packet = 10, .packet_lambda_ps = MACHINE_UNSET};
    MachineTerms least = transfer_least_terms(&machine, 100), of_nothing = transfer_least_terms(&machine, 0);
    ck_assert(least.lambda_ps == 3 && least.tau_fs_per_byte == 2000 && of_nothing.lambda_ps == 1);
    machine.packet_lambda_ps = 2;
    ck_assert_int_eq(transfer_least_terms(&machine, 100).lambda_ps, 2);
    ck_assert_int_eq(transfer_allowed_packet(&machine, 10, 4), 10);
    ck_assert_int_eq(transfer_allowed_packet(&machine, 12, 4), 8);
    ck_assert_int_eq(transfer_allowed_packet(&machine, 12, 12), 10);
    machine.packet = 0;
    ck_assert_int_eq(transfer_allowed_packet(&machine, 12, 4), 12);
    ck_assert_int_eq(transfer_least_terms(&machine, 100).lambda_ps, 3);     /* a message is one packet */
    machine.long_limit = 1000;
    machine.long_terms = (MachineTerms){9, 500, 0};
    MachineTerms of_three = transfer_least_terms(&machine, 100);
    ck_assert(of_three.lambda_ps == 3 && of_three.tau_fs_per_byte == 500);
}

TESTS(transfer, common, sums, packets, rounding, parts_of_picoseconds, machine_limits)
