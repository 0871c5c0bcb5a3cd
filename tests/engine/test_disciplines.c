/* Synchronized and half duplex and store-and-forward, worked by hand (shots.h). Alone, h channels and b bytes take
 * 10 + h + b over a circuit, h (10 + b) with store-and-forward. */
#include "shots.h"

/* 0 transmits to 1 from 11 to 111. 1's header back is ready at 11 too, and they overlap; or at 16, and it waits until
 * 111, holding 0's receive port. A third, from 2 at 42, gets that port at 211. */
TEST(synchronized_duplex)
{
    const Shot together[] = {{0, 0, 1, 100, 111}, {0, 1, 0, 100, 111}};
    CHECK("duplex=synchronized", 2, together, 0, 0, 0);
    const Shot late[] = {{0, 0, 1, 100, 111}, {5, 1, 0, 100, 211}};
    CHECK("duplex=synchronized", 2, late, 1, 95, 95);
    const Shot third[] = {{0, 0, 1, 100, 111}, {5, 1, 0, 100, 211}, {31, 2, 0, 100, 311}};
    CHECK("duplex=synchronized", 2, third, 2, 95 + 169, 169);
    /* without it, nothing but the receive port is waited for */
    const Shot full[] = {{0, 0, 1, 100, 111}, {5, 1, 0, 100, 116}};
    CHECK("duplex=full", 2, full, 0, 0, 0);
}

/* --- half duplex --- */

/* Alone 111, over two channels 112: an exchange takes twice that. */
TEST(half_exchange)
{
    const Shot shots[] = {{0, 0, 1, 100, 111}, {0, 1, 0, 100, 222}};
    CHECK("duplex=half", 1, shots, 1, 111, 111);
    const Shot far[] = {{0, 0, 3, 100, 112}, {0, 3, 0, 100, 224}};
    CHECK("duplex=half", 2, far, 1, 112, 112);
}

/* Packets of 111, 111 and 61, alone 283 in all. The two messages alternate: 0's packets from 0, 222, 444; 1's from 111,
 * 333, 505. Each waits for the other's packet before each of its own: 0 for 111 + 111, 1 for 111 + 111 + 61. */
TEST(half_exchange_of_packets)
{
    const Shot shots[] = {{0, 0, 1, 250, 505}, {0, 1, 0, 250, 2 * 283}};
    CHECK("duplex=half packet=100", 1, shots, 2, 222 + 283, 283);
}

/* 3 waits for 1, which is busy until 111; that does not keep 2 from sending to 3. */
TEST(half_waiting_is_free)
{
    const Shot shots[] = {{0, 0, 1, 100, 111}, {5, 3, 1, 100, 222}, {6, 2, 3, 50, 67}};
    CHECK("duplex=half", 2, shots, 1, 106, 106);
}

/* At 111, when 1 is free, 3 comes first but is busy itself until 167. So 1's own message to 0, asked for at 100,
 * begins: 111 + 31. At 167 both 3 and 1 are free: 167 + 111. */
TEST(half_next_in_turn)
{
    const Shot shots[] = {{0, 0, 1, 100, 111}, {5, 3, 1, 100, 278}, {6, 2, 3, 150, 167}, {100, 1, 0, 20, 142}};
    CHECK("duplex=half", 2, shots, 2, 162 + 11, 162);
}

/* A: 0 to 3 holds (1,1) from 11 to 1012. B: 1 to 7 has its ends at 5, wants (1,1) at 15, has it at 1012, transmits from
 * 1014 to 1114. C: 7 to 6 waits all that time for 7, and takes 31. */
TEST(half_and_circuits)
{
    const Shot shots[] = {{0, 0, 3, 1000, 1012}, {5, 1, 7, 100, 1114}, {20, 7, 6, 20, 1145}};
    CHECK("duplex=half", 3, shots, 2, 997 + 1094, 1094);
}

/* --- store-and-forward --- */

/* 110 a hop. Costs of circuits do not apply. */
TEST(hops_alone)
{
    const Shot shots[] = {{0, 0, 7, 100, 330}, {3, 6, 4, 0, 13}};
    const gint64 shots_sent[] = {110, 13};
    CHECK_SENT("switching=store-and-forward delta=5", 3, shots, shots_sent, 0, 0, 0);
    /* packets of 110, 110, 60: the last is at 1 at 280, but leaves after the one before it, from 330 on */
    const Shot three[] = {{0, 0, 7, 250, 110 + 110 + 110 + 110 + 60}};
    const gint64 three_sent[] = {280};
    CHECK_SENT("switching=store-and-forward packet=100", 3, three, three_sent, 0, 0, 0);
    /* a short last packet that costs more than a full one, 10 + 10 against 90 + 5, goes at its own pace */
    const char *slow_last = "switching=store-and-forward packet=10 short_limit=5 lambda_short=90";
    const Shot two[] = {{0, 0, 7, 15, 20 + 3 * 95}};
    const gint64 two_sent[] = {115};
    CHECK_SENT(slow_last, 3, two, two_sent, 0, 0, 0);
}

/* Only the receive port of the next processor is held: 0's long message does not keep 1's from crossing (1,1). */
TEST(hops_hold_one_channel)
{
    const Shot shots[] = {{0, 0, 3, 1000, 2020}, {5, 1, 3, 100, 115}};
    const gint64 shots_sent[] = {1010, 115};
    CHECK_SENT("switching=store-and-forward", 2, shots, shots_sent, 0, 0, 0);
    const Shot receivers[] = {{0, 1, 0, 100, 110}, {0, 2, 0, 100, 210}};
    const gint64 receivers_sent[] = {110, 210};
    CHECK_SENT("switching=store-and-forward", 2, receivers, receivers_sent, 1, 100, 100);
}

/* 0's message is at 1 at 110. There 1 sends its own, asked for at 100, until 210 and another, of 105, until 270; then
 * 0's goes on, having waited 160, until 380; and then 1's third, of 115, which waits for it from 270, when 1's own
 * before it had left. */
TEST(hops_in_turn)
{
    const Shot shots[] = {{0, 0, 3, 100, 380}, {100, 1, 5, 100, 210}, {105, 1, 3, 50, 270}, {115, 1, 0, 20, 410}};
    const gint64 shots_sent[] = {110, 210, 270, 410};
    CHECK_SENT("switching=store-and-forward", 3, shots, shots_sent, 2, 160 + 110, 160);
}

/* 1's own message, asked for at 150, goes between the packets of 0's, which are there at 110 and 220: it waits 70 for
 * the first, and the second waits 110 for it. */
TEST(hops_between_packets)
{
    const Shot shots[] = {{0, 0, 3, 200, 440}, {150, 1, 3, 100, 330}};
    const gint64 shots_sent[] = {220, 330};
    CHECK_SENT("switching=store-and-forward packet=100", 2, shots, shots_sent, 2, 110 + 70, 110);
}

/* Only who leaves through the same channel waits. */
TEST(hops_through_all_ports)
{
    const Shot shots[] = {{0, 0, 3, 100, 220}, {0, 0, 2, 100, 110}, {110, 1, 0, 100, 220}, {115, 1, 3, 50, 280}};
    const gint64 shots_sent[] = {110, 110, 220, 280};
    CHECK_SENT("switching=store-and-forward ports=all", 2, shots, shots_sent, 1, 105, 105);
}

TEST(hops_half_duplex)
{
    const char *options = "switching=store-and-forward duplex=half packet=100";
    const Shot exchange[] = {{0, 0, 1, 100, 110}, {0, 1, 0, 100, 220}};
    const gint64 exchange_sent[] = {110, 220};
    CHECK_SENT(options, 1, exchange, exchange_sent, 1, 110, 110);
    /* at 110 both the second packet from 0 and the first from 1 ask for 1; 0 comes first. Then 1 sends both on. */
    const Shot relayed[] = {{0, 0, 3, 200, 440}};
    const gint64 relayed_sent[] = {220};
    CHECK_SENT(options, 2, relayed, relayed_sent, 1, 110, 110);
}

TESTS(disciplines, synchronized_duplex, half_exchange, half_exchange_of_packets, half_waiting_is_free,
      half_next_in_turn, half_and_circuits, hops_alone, hops_hold_one_channel, hops_in_turn, hops_between_packets,
      hops_through_all_ports, hops_half_duplex)
