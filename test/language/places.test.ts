import { describe, expect, it } from 'vitest';
import { LANGUAGE_TAGS } from '../../src/language/language.ts';
import { textsOf } from './rendered-texts.ts';

/** "This server", in every language. */
const THIS_SERVER =
  /this server|diese[mnrs]? Server|(?:est|nest|dest)e servidor|ce serveur|このサーバー|[本此]服务器/i;

/**
 * Texts that only people of a server read. In a direct message others take their place, or nothing
 * is said.
 */
const OF_SERVERS = [
  // The operator sends alerts on for servers alone, and shards serve servers.
  '.watch.status.signedAlerts',
  '.watch.status.shards',
  // `.watch.status.fields.yours` takes its place.
  '.watch.status.fields.here',
  // `.personal.notWatched`
  '.watch.notElsewhere',
  // `.personal.notServed`
  '.errors.admission.notAllowed',
  '.errors.admission.serverBlocked',
  // `.errors.quota.user`
  '.errors.quota.server',
  // `.personal.lookups`
  '.errors.quota.lookups',
  // `.personal.tooMany`
  '.errors.quota.watches',
  // `.personal.unknownWallet`
  '.errors.wallet.unknown',
  // A person has neither channels nor roles.
  '.errors.notMember',
  '.errors.channel.timedOut',
  '.files.faults.noChannel',
  '.files.faults.noRole',
  '.personal.forget.inServer',
];

describe.each(LANGUAGE_TAGS)('in %s', (tag) => {
  it('says “this server” only where nobody reads it in a direct message', () => {
    const said = [...textsOf(tag)].flatMap(([path, text]) => (THIS_SERVER.test(text) ? path : []));
    // Discord shows the same description of a command everywhere.
    const answers = said.filter((path) => !path.startsWith('.commands.'));
    expect(answers.length, 'the words are recognized').toBeGreaterThan(10);
    expect(answers.filter((path) => !OF_SERVERS.includes(path))).toEqual([]);
  });
});
