/* SPDX-License-Identifier: BSD-3-Clause
 * See invitation.h. The text is "sheaf2,CHECK,SECRET,PID,HOST,NAME,0,ADDRESS,PORT,ADDRESS,PORT": NAME
 * is the local socket's, CHECK a sum over all that follows it.
 */
#include "boot/launcher/rendezvous/invitation.h"

#include "base/sanitize.h"
#include "base/sha256.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define VERSION      "sheaf2,"
#define CHECK_LENGTH 16 /* hexadecimal digits */

void sheaf_contacts_add(struct sheaf_contacts *contacts, const char *address, int port)
{
    for (int i = 0; i < contacts->count; i++)
        if (!strcmp(contacts->at[i].address, address) && contacts->at[i].port == port)
            return;
    if (contacts->count == SHEAF_CONTACTS)
        return;
    struct sheaf_contact *contact = &contacts->at[contacts->count++];
    snprintf(contact->address, sizeof contact->address, "%s", address);
    contact->port = port;
}

bool sheaf_contact_is_numeric(const char *address)
{
    struct in6_addr any;
    return inet_pton(AF_INET, address, &any) == 1 || inet_pton(AF_INET6, address, &any) == 1;
}

/* Of a text that was cut or changed on the way: no proof, which the secret gives. */
static void print_check(const char *text, char check[CHECK_LENGTH + 1])
{
    unsigned char digest[SHEAF_SHA256_BYTES];
    sheaf_hmac_sha256(VERSION, sizeof VERSION - 1, text, strlen(text), digest);
    for (int i = 0; i < CHECK_LENGTH / 2; i++)
        snprintf(check + 2 * i, 3, "%02x", digest[i]);
}

void sheaf_invitation_print(const struct sheaf_invitation *invitation, char text[SHEAF_INVITATION])
{
    char *body = text + sizeof VERSION - 1 + CHECK_LENGTH + 1, check[CHECK_LENGTH + 1],
         host[sizeof invitation->host];
    size_t most = (size_t)(text + SHEAF_INVITATION - body);
    snprintf(host, sizeof host, "%s", invitation->host);
    for (char *at = host; *at; at++)
        if (!isgraph((unsigned char)*at) || *at == ',')
            *at = '?';
    memset(text, 0, SHEAF_INVITATION);
    size_t used = (size_t)snprintf(body, most, "%s,%d,%s", invitation->secret, invitation->pid, host);
    for (int i = 0; i < invitation->contacts.count; i++) {
        const struct sheaf_contact *contact = &invitation->contacts.at[i];
        if (used + strlen(contact->address) + sizeof ",,65535" < most)
            used += (size_t)snprintf(body + used, most - used, ",%s,%d", contact->address,
                                     contact->port);
    }
    print_check(body, check);
    memcpy(text, VERSION, sizeof VERSION - 1);
    memcpy(text + sizeof VERSION - 1, check, CHECK_LENGTH);
    body[-1] = ',';
}

static bool parse_body(const char *text, struct sheaf_invitation *invitation)
{
    char address[INET6_ADDRSTRLEN];
    int used = 0, port;
    if (sscanf(text, "%32[0-9a-f],%d,%63[^,]%n", invitation->secret, &invitation->pid, invitation->host,
               &used) != 3 || strlen(invitation->secret) != 32)
        return false;
    for (text += used; sscanf(text, ",%45[^,],%d%n", address, &port, &used) == 2; text += used)
        if (port == 0 || (port > 0 && port <= 65535 && sheaf_contact_is_numeric(address)))
            sheaf_contacts_add(&invitation->contacts, address, port);
    sheaf_sanitize(invitation->host, 0);
    return !*text;
}

const char *sheaf_invitation_parse(const char *text, struct sheaf_invitation *invitation)
{
    const char *rest = text + sizeof VERSION - 1;
    char check[CHECK_LENGTH + 1];
    *invitation = (struct sheaf_invitation){0};
    if (strncmp(text, VERSION, sizeof VERSION - 1) != 0)
        return strncmp(text, "sheaf", 5) != 0 || !isdigit((unsigned char)text[5])
                   ? "it begins otherwise than an invitation of Sheaf's does"
                   : "another version of Sheaf made it: install the same one on all hosts";
    if (memchr(rest, 0, CHECK_LENGTH) || rest[CHECK_LENGTH] != ',')
        return "its end is missing";
    print_check(rest + CHECK_LENGTH + 1, check);
    if (strncmp(check, rest, CHECK_LENGTH) != 0 || !parse_body(rest + CHECK_LENGTH + 1, invitation))
        return "a part of it is missing or was changed on the way";
    return NULL;
}
