/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What all files of the test of the protocol read.
 */
#include "protocol.h"

#include "engine/message/engine.h"
#include "local/local.h"

extern const struct sheaf_engine sheaf_engine_local;
SHEAF_ENGINE_OVER(local);

const struct sheaf_engine *const engine = &sheaf_engine_local;
uint64_t chance;
int pes;
bool is_big;
struct protocol_board *board;

void end_with_job(void)
{
    if (board->has_ended)
        die();
}
