/* The published formulas against values worked by hand.
 *
 * Bokhari 1993:          t_standard = d (tau m 2^(d-1) + lambda + delta) + d rho 2^d m
 *                        t_direct   = (2^d - 1)(tau m + lambda + delta)
 *                    (1) t_(d,di)   = (2^di - 1)(lambda + tau m 2^(d-di) + delta) + rho m 2^d
 *                    (2) t_multiphase, their sum
 * Nicol & Bokhari 1994:  the same with Q(d) for every phase. */
#include "models/hull.h"
#include "tests/support/tests.h"

/* The formulas are sums and products of whole picoseconds below 2^53: the doubles are exact. */
#define assert_us(time_ps, us) ck_assert_int_eq(llround(time_ps), llround((us)*1e6))

static double multiphase_ps(const Machine *machine, guint dimension, const char *text, gint64 bytes)
{
    Phases partition;
    ck_assert(partition_parse("partition", text, dimension, &partition, NULL));
    return exchange_multiphase_ps(machine, dimension, &partition, bytes);
}

/* t_standard as printed */
static double standard_ps(const Machine *machine, guint dimension, gint64 bytes)
{
    return dimension ? dimension * exchange_phase_ps(machine, dimension, 1, bytes, TRUE) : 0;
}

/* lambda 100, delta 10, tau 2, rho 1 */
TEST(textbook)
{
    g_autoptr(Machine) machine = test_machine("bokhari1993", NULL);
    /* d = 6, m = 32: a block of 2^6 x 32 = 2048 bytes is shuffled in every phase */
    assert_us(standard_ps(machine, 6, 32), 6 * (2 * 1024 + 110 + 2048));       /* 25236 */
    assert_us(standard_ps(machine, 6, 32), 25236);
    assert_us(exchange_direct_ps(machine, 6, 32), 10962);                               /* 63 (64 + 110) */
    assert_us(exchange_phase_ps(machine, 6, 3, 32, TRUE), 6402);                              /* 7 (110 + 512) + 2048 */
    assert_us(multiphase_ps(machine, 6, "3,3", 32), 12804);
    assert_us(multiphase_ps(machine, 6, "1,5", 32), 13632);                             /* 4206 + 9426 */
    assert_us(multiphase_ps(machine, 6, "6", 32), 13010);                               /* direct and one shuffle */
    /* without bytes only start-ups are left */
    assert_us(standard_ps(machine, 6, 0), 660);
    assert_us(exchange_direct_ps(machine, 6, 0), 6930);
    /* d = 4, the run times of figure 1(a) at m = 10 */
    assert_us(multiphase_ps(machine, 4, "1,1,1,1", 10), 4 * (110 + 160 + 160));
    assert_us(multiphase_ps(machine, 4, "1,1,2", 10), 2 * 430 + 3 * (110 + 80) + 160);
    assert_us(multiphase_ps(machine, 4, "2,2", 10), 2 * (3 * (110 + 80) + 160));
    assert_us(multiphase_ps(machine, 4, "1,3", 10), 430 + 7 * (110 + 40) + 160);
    assert_us(multiphase_ps(machine, 4, "4", 10), 15 * (110 + 20) + 160);
}

/* lambda 95.0 + 82.5, delta 10.3 d, tau 0.394, rho 0.54, Q(d) = 150 d */
TEST(ipsc860)
{
    g_autoptr(Machine) machine = test_machine("ipsc860", NULL);
    /* d = 5: lambda + delta = 177.5 + 51.5 = 229, Q = 750; m = 32: 1024 bytes are shuffled, 552.96 */
    assert_us(standard_ps(machine, 5, 32), 8668.44);           /* 5 (229 + 201.728 + 552.96 + 750) */
    assert_us(exchange_direct_ps(machine, 5, 32), 8239.848);            /* 31 (229 + 12.608) + 750 */
    assert_us(exchange_phase_ps(machine, 5, 2, 32, TRUE), 2292.552);          /* 3 (229 + 100.864) + 552.96 + 750 */
    assert_us(exchange_phase_ps(machine, 5, 3, 32, TRUE), 3258.984);          /* 7 (229 + 50.432) + 552.96 + 750 */
    assert_us(multiphase_ps(machine, 5, "2,3", 32), 5551.536);
    assert_us(multiphase_ps(machine, 5, "3,2", 32), 5551.536);
    /* d = 6: lambda + delta = 239.3, Q = 900 */
    assert_us(standard_ps(machine, 6, 32), 15892.056);         /* 6 (239.3 + 403.456 + 1105.92 + 900) */
    assert_us(exchange_direct_ps(machine, 6, 400), 25904.7);            /* 63 (239.3 + 157.6) + 900 */
    assert_us(multiphase_ps(machine, 6, "3,3", 400), 50449.4);          /* 2 (7 (239.3 + 1260.8) + 13824 + 900) */
    assert_us(multiphase_ps(machine, 6, "6", 400), 39728.7);            /* direct and 13824 for the shuffle */
}

/* Each protocol option takes its own part away. */
TEST(protocol)
{
    g_autoptr(Machine) plain = TEST_MACHINE("ipsc860", "pairwise_sync=false", "phase_barrier=false");
    assert_us(exchange_direct_ps(plain, 6, 400), 63 * (95.0 + 30.9 + 157.6));
    g_autoptr(Machine) with_barrier = TEST_MACHINE("ipsc860", "pairwise_sync=false", "sync=7");
    assert_us(exchange_direct_ps(with_barrier, 6, 400), 63 * (95.0 + 30.9 + 157.6) + 907);
    assert_us(multiphase_ps(with_barrier, 6, "3,3", 0), 2 * (7 * (95.0 + 30.9) + 907));
    g_autoptr(Machine) each = TEST_MACHINE("ipsc860", "pairwise_sync=false", "sync=7", "phase_barrier=exchange");
    assert_us(exchange_direct_ps(each, 6, 400), 63 * (95.0 + 30.9 + 157.6 + 907));
    assert_us(multiphase_ps(each, 6, "3,3", 0), 2 * 7 * (95.0 + 30.9 + 907));
    g_autoptr(Machine) clock = TEST_MACHINE("ipsc860", "pairwise_sync=false", "sync=7", "phase_barrier=clock");
    assert_us(multiphase_ps(clock, 6, "3,3", 0), 2 * 7 * (95.0 + 30.9));
    g_autoptr(Machine) with_delta = TEST_MACHINE("ipsc860", "phase_barrier=false",
                                                 "delta=1");     /* paid by the zero-byte message too */
    assert_us(exchange_direct_ps(with_delta, 6, 400), 63 * (239.3 + 2 + 157.6));
}

/* At m = (lambda + delta)/tau all partitions into two parts cost the same (Bokhari 1993, figure 1): here m = 55. */
TEST(one_intersection)
{
    g_autoptr(Machine) machine = test_machine("bokhari1993", NULL);
    for (guint d = 2; d <= MACHINE_DIMENSION_MAX; d++) {
        double expected = 0;
        for (guint k = 1; k < d; k++) {
            Phases partition = {2, {k, d - k}};
            double time = exchange_multiphase_ps(machine, d, &partition, 55);
            if (k == 1)
                expected = time;
            ck_assert_msg(time == expected, "d = %u: {%u,%u} differs from {1,%u}", d, k, d - k, d - 1);
        }
    }
    assert_us(multiphase_ps(machine, 6, "3,3", 55), 20900);     /* 110 (16 - 2) + 110 (128 - 16) + 2 x 55 x 64 */
    ck_assert(multiphase_ps(machine, 6, "3,3", 54) < multiphase_ps(machine, 6, "1,5", 54));
    ck_assert(multiphase_ps(machine, 6, "3,3", 56) > multiphase_ps(machine, 6, "1,5", 56));
}

/* Multiphase over {1, 1, ..., 1} is Standard; over {d} it is Direct and the redundant shuffle. */
TEST_LOOP(ends_of_the_family, 0, 5)
{
    static const char *const machines[] = {"bokhari1993", "ipsc860", "ipsc860:unforced", "ipsc2", "ncube2"};
    g_autoptr(Machine) machine = test_machine(machines[_i], NULL);
    for (guint d = 0; d <= MACHINE_DIMENSION_MAX; d++)
        for (gint64 m = 0; m <= 1000; m += 50) {
            Phases ones = partition_standard(d), whole = partition_direct(d);
            ck_assert(exchange_multiphase_ps(machine, d, &ones, m) == standard_ps(machine, d, m));
            double shuffle = d ? machine_byte_ps(machine->rho_fs_per_byte) * (double)(m << d) : 0;
            ck_assert(exchange_multiphase_ps(machine, d, &whole, m) == exchange_direct_ps(machine, d, m) + shuffle);
        }
}

TEST(small_cubes)
{
    g_autoptr(Machine) machine = test_machine("ipsc860", NULL);
    ck_assert(standard_ps(machine, 0, 32) == 0);
    ck_assert(exchange_direct_ps(machine, 0, 32) == 0);
    ck_assert(multiphase_ps(machine, 0, "", 32) == 0);
    /* d = 1: 177.5 + 10.3 + 0.394 x 32 + 150 = 350.408, and 0.54 x 64 = 34.56 for the shuffle */
    assert_us(exchange_direct_ps(machine, 1, 32), 350.408);
    assert_us(standard_ps(machine, 1, 32), 384.968);
    assert_us(multiphase_ps(machine, 1, "1", 32), 384.968);
}

/* Each phase uses the constants that govern its own messages: at d = 4, m = 16 those of part 1 have 128 bytes, of part
 * 2 64 bytes, of part 3 32 bytes. */
TEST(short_and_long)
{
    const char *const overrides[] = {"short_limit=64",    "lambda_short=50",   "tau_short=1",
                                     "delta_hop_short=3", "lambda_zero=40",    NULL};
    g_autoptr(Machine) machine = test_machine("bokhari1993", overrides);
    assert_us(exchange_phase_ps(machine, 4, 1, 16, TRUE), 110 + 2 * 128 + 256);
    assert_us(exchange_phase_ps(machine, 4, 2, 16, TRUE), 3 * (50 + 10 + 6 + 64) + 256);
    assert_us(exchange_phase_ps(machine, 4, 2, 17, TRUE), 3 * (110 + 2 * 68) + 272);          /* 68 bytes: long */
    assert_us(exchange_phase_ps(machine, 4, 3, 16, TRUE), 7 * (50 + 10 + 6 + 32) + 256);
    assert_us(multiphase_ps(machine, 4, "1,3", 16), 622 + 942);
    machine->pairwise_sync = TRUE;      /* the zero-byte message is short, whatever follows it: 40 + 10 + 6 */
    assert_us(exchange_phase_ps(machine, 4, 1, 16, TRUE), 56 + 110 + 2 * 128 + 256);
}

/* At d = 4, m = 16 the messages of part 1 have 128 bytes, long ones, of part 2 64 and of part 3 32 bytes. */
TEST(three_pieces)
{
    g_autoptr(Machine) machine = TEST_MACHINE("bokhari1993", "short_limit=32", "lambda_short=50", "long_limit=64",
                                              "lambda_long=500", "tau_long=0.5", "delta_hop_long=3");
    assert_us(exchange_phase_ps(machine, 4, 1, 16, TRUE), 500 + 10 + 2 * 3 + 0.5 * 128 + 256);
    assert_us(exchange_phase_ps(machine, 4, 2, 16, TRUE), 3 * (100 + 10 + 2 * 64) + 256);
    assert_us(exchange_phase_ps(machine, 4, 2, 17, TRUE), 3 * (500 + 10 + 6 + 34) + 272);     /* 68 bytes: long */
    assert_us(exchange_phase_ps(machine, 4, 3, 16, TRUE), 7 * (50 + 10 + 2 * 32) + 256);
    assert_us(multiphase_ps(machine, 4, "1,3", 16), 836 + 1124);
    machine->pairwise_sync = TRUE;      /* no handshake is long: 50 + 10 */
    assert_us(exchange_phase_ps(machine, 4, 1, 16, TRUE), 60 + 580 + 256);
}

TEST(packets)
{
    g_autoptr(Machine) machine = TEST_MACHINE("ipsc860", "packet=1000");
    ck_assert_ptr_null(exchange_unpublished_reason(machine, 1000));
    ck_assert_ptr_nonnull(exchange_unpublished_reason(machine, 1001));
    g_autoptr(Machine) unlimited = test_machine("ipsc860", NULL);
    ck_assert_ptr_null(exchange_unpublished_reason(unlimited, G_MAXINT64));
    g_autoptr(Machine) forwarding = TEST_MACHINE("ipsc860", "switching=store-and-forward", "duplex=full");
    ck_assert_ptr_nonnull(exchange_unpublished_reason(forwarding, 1));
}

TESTS(exchange, textbook, ipsc860, protocol, one_intersection, ends_of_the_family, small_cubes, short_and_long,
      three_pieces, packets)
