/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Questions that a peer is asked once: a key of its memory, its end of a lane.
 */
#include "engine/message/direct/registration.h"

#include <stdlib.h>
#include <string.h>

void sheaf_msg_handle_key_data(const struct sheaf_msg_arrival *arrival,
                               const union sheaf_msg_header *header)
{
    struct sheaf_msg_question *question = (void *)arrival->asked->dest;
    (void)header;
    if (arrival->length > 0) {
        question->answer = malloc(arrival->length);
        if (!question->answer)
            sheaf_msg_failed(arrival->pe, "key of its memory", "no memory");
        memcpy(question->answer, arrival->data, arrival->length);
        question->bytes = arrival->length;
    }
    sheaf_msg_operation_answered(arrival->asked, 1);
}

void sheaf_msg_ask(struct sheaf_msg_operation *operation, enum sheaf_msg_kind message,
                   struct sheaf_msg_question *question)
{
    question->is_asked = true;
    operation->dest = (unsigned char *)question;
    sheaf_msg_operation_count(operation, &question->remaining);
    sheaf_msg_expect_answer(operation, SHEAF_MSG_KEY_DATA, 1);
    sheaf_msg_send_operation(operation, operation->peer->link, message, NULL, 0);
}

void sheaf_msg_ask_for_key(struct sheaf_msg_worker *worker, struct sheaf_msg_peer *peer,
                           enum sheaf_msg_kind message, struct sheaf_msg_question *question, int part)
{
    struct sheaf_msg_operation *operation = sheaf_msg_operation_get(worker, peer);
    operation->header.key = (struct sheaf_msg_key){operation->handle, (uint64_t)part};
    sheaf_msg_ask(operation, message, question);
}
