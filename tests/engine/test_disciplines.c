/* Synchronized and half duplex and store-and-forward, worked by hand (shots.h). Alone, h channels and b bytes take
 * 10 + h + b over a circuit, h (10 + b) with store-and-forward. */
#include "shots.h"

#define HOPS "switching=store-and-forward"

static const ShotCase cases[] = {
    /* 0 transmits to 1 from 11 to 111. 1's header back is ready at 11 too, and they overlap; or at 16, and it waits
     * until 111, holding 0's receive port. A third, from 2 at 42, gets that port at 211. */
    {"together", "duplex=synchronized", 2, 0, 0, 0, .shots = {{0, 0, 1, 100, 111}, {0, 1, 0, 100, 111}}},
    {"late", "duplex=synchronized", 2, 1, 95, 95, .shots = {{0, 0, 1, 100, 111}, {5, 1, 0, 100, 211}}},
    {"a third", "duplex=synchronized", 2, 2, 95 + 169, 169,
     .shots = {{0, 0, 1, 100, 111}, {5, 1, 0, 100, 211}, {31, 2, 0, 100, 311}}},
    /* Without it, nothing but the receive port is waited for. */
    {"not synchronized", "duplex=full", 2, 0, 0, 0, .shots = {{0, 0, 1, 100, 111}, {5, 1, 0, 100, 116}}},

    /* Alone 111, over two channels 112: an exchange takes twice that. */
    {"half: exchange", "duplex=half", 1, 1, 111, 111, .shots = {{0, 0, 1, 100, 111}, {0, 1, 0, 100, 222}}},
    {"half: far exchange", "duplex=half", 2, 1, 112, 112, .shots = {{0, 0, 3, 100, 112}, {0, 3, 0, 100, 224}}},
    /* Packets of 111, 111 and 61, alone 283 in all. The two messages alternate: 0's packets from 0, 222, 444; 1's from
     * 111, 333, 505. Each waits for the other's packet before its own: 0 for 111 + 111, 1 for 111 + 111 + 61. */
    {"half: packets", "duplex=half packet=100", 1, 2, 222 + 283, 283,
     .shots = {{0, 0, 1, 250, 505}, {0, 1, 0, 250, 2 * 283}}},
    /* 3 waits for 1, which is busy until 111; that does not keep 2 from sending to 3. */
    {"half: waiting is free", "duplex=half", 2, 1, 106, 106,
     .shots = {{0, 0, 1, 100, 111}, {5, 3, 1, 100, 222}, {6, 2, 3, 50, 67}}},
    /* At 111, when 1 is free, 3 comes first but is busy itself until 167. So 1's own message to 0, asked for at 100,
     * begins: 111 + 31. At 167 both 3 and 1 are free: 167 + 111. */
    {"half: next in turn", "duplex=half", 2, 2, 162 + 11, 162,
     .shots = {{0, 0, 1, 100, 111}, {5, 3, 1, 100, 278}, {6, 2, 3, 150, 167}, {100, 1, 0, 20, 142}}},
    /* A: 0 to 3 holds (1,1) from 11 to 1012. B: 1 to 7 has its ends at 5, wants (1,1) at 15, has it at 1012, transmits
     * from 1014 to 1114. C: 7 to 6 waits all that time for 7, and takes 31. */
    {"half: circuits", "duplex=half", 3, 2, 997 + 1094, 1094,
     .shots = {{0, 0, 3, 1000, 1012}, {5, 1, 7, 100, 1114}, {20, 7, 6, 20, 1145}}},

    /* 110 a hop. Costs of circuits do not apply. */
    {"hops: alone", HOPS " delta=5", 3, 0, 0, 0, .shots = {{0, 0, 7, 100, 330}, {3, 6, 4, 0, 13}}, .sent = {110, 13}},
    /* Packets of 110, 110, 60: the last is at 1 at 280, but leaves after the one before it, from 330 on. */
    {"hops: packets", HOPS " packet=100", 3, 0, 0, 0, .shots = {{0, 0, 7, 250, 4 * 110 + 60}}, .sent = {280}},
    /* A short last packet that costs more than a full one, 10 + 10 against 90 + 5, goes at its own pace. */
    {"hops: slow last packet", HOPS " packet=10 short_limit=5 lambda_short=90", 3, 0, 0, 0,
     .shots = {{0, 0, 7, 15, 20 + 3 * 95}}, .sent = {115}},
    /* Only the receive port of the next processor is held: 0's long message does not keep 1's from crossing (1,1). */
    {"hops: one channel", HOPS, 2, 0, 0, 0, .shots = {{0, 0, 3, 1000, 2020}, {5, 1, 3, 100, 115}}, .sent = {1010}},
    {"hops: one receiver", HOPS, 2, 1, 100, 100, .shots = {{0, 1, 0, 100, 110}, {0, 2, 0, 100, 210}}},
    /* 0's message is at 1 at 110. There 1 sends its own, asked for at 100, until 210 and another, of 105, until 270;
     * then 0's goes on, having waited 160, until 380; and then 1's third, of 115, which waits for it from 270, when 1's
     * own before it had left. */
    {"hops: in turn", HOPS, 3, 2, 160 + 110, 160,
     .shots = {{0, 0, 3, 100, 380}, {100, 1, 5, 100, 210}, {105, 1, 3, 50, 270}, {115, 1, 0, 20, 410}}, .sent = {110}},
    /* 1's own message, asked for at 150, goes between the packets of 0's, which are there at 110 and 220: it waits 70
     * for the first, and the second waits 110 for it. */
    {"hops: between packets", HOPS " packet=100", 2, 2, 110 + 70, 110,
     .shots = {{0, 0, 3, 200, 440}, {150, 1, 3, 100, 330}}, .sent = {220}},
    /* Only who leaves through the same channel waits. */
    {"hops: all ports", HOPS " ports=all", 2, 1, 105, 105,
     .shots = {{0, 0, 3, 100, 220}, {0, 0, 2, 100, 110}, {110, 1, 0, 100, 220}, {115, 1, 3, 50, 280}}, .sent = {110}},
    {"hops: half exchange", HOPS " duplex=half packet=100", 1, 1, 110, 110,
     .shots = {{0, 0, 1, 100, 110}, {0, 1, 0, 100, 220}}},
    /* At 110 both the second packet from 0 and the first from 1 ask for 1; 0 comes first. Then 1 sends both on. */
    {"hops: half relayed", HOPS " duplex=half packet=100", 2, 1, 110, 110,
     .shots = {{0, 0, 3, 200, 440}}, .sent = {220}},
};

TEST_LOOP(by_hand, 0, G_N_ELEMENTS(cases))
{
    check_shots(&cases[_i]);
}

TESTS(disciplines, by_hand)
