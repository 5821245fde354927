import { describe, expect, it } from 'vitest';
import { openUnlimitedFixture, TOKEN } from '../../packages/local-discord/test/fixture.ts';
import { createSender } from '../../src/delivery/sender.ts';
import { createRest } from '../../src/discord/client.ts';
import { ENGLISH, languageFor } from '../../src/language/language.ts';
import { UserError } from '../../src/language/user-error.ts';
import { createGreeting } from '../../src/persons/persons.ts';
import { testMachine } from '../support/machine.ts';

async function openGreeting() {
  const fixture = await openUnlimitedFixture();
  const clock = { ms: 0 };
  const rest = createRest({ apiUrl: fixture.discord.apiUrl, token: TOKEN });
  const machine = testMachine({
    nowMs: () => 1_800_000_000_000 + clock.ms,
    monotonicMs: () => clock.ms,
  });
  const greet = createGreeting(
    machine,
    createSender({ rest, selfId: () => null, canReadHistory: () => null }),
  );
  const { userId } = fixture.member;
  const { id: channelId } = fixture.discord.openDm(userId);
  const attempt = (name: string, language = ENGLISH, personId = userId) => {
    const { id } = fixture.discord.openDm(personId);
    return greet({ personId, channelId: id, attempt: name, language });
  };
  const open = (personId: string) =>
    greet({ personId, channelId: null, attempt: 'press', language: ENGLISH });
  const newcomer = () => fixture.discord.createMember(fixture.guildId, { name: 'newcomer' }).userId;
  const refused = async (greeted: Promise<string>) => {
    const error: unknown = await greeted.catch((thrown: unknown) => thrown);
    if (!(error instanceof UserError)) throw new Error('It was taken.');
    return error.say(ENGLISH);
  };
  const refusal = (name: string, personId = userId) => refused(attempt(name, ENGLISH, personId));
  const received = () => fixture.discord.messages(channelId).map(({ content }) => content);
  return { ...fixture, clock, attempt, open, newcomer, refusal, refused, received };
}

describe('the first message to a person', () => {
  it('arrives once an attempt, in the person’s language', async () => {
    const { attempt, received } = await openGreeting();
    await attempt('one');
    await attempt('one');
    await attempt('two', languageFor('de'));
    expect(received()).toEqual([
      expect.stringContaining('Your private alerts will arrive here'),
      expect.stringContaining('Deine privaten Meldungen kommen hierher'),
    ]);
  });

  it('that Discord refuses says why, and what to do', async () => {
    const { discord, member, guildId, refusal, received } = await openGreeting();
    discord.setTakesDms(member.userId, false);
    expect(await refusal('closed')).toMatch(/\(50007\), so nothing was saved\. Unblock me/);
    discord.kickBot(guildId);
    expect(await refusal('stranger')).toMatch(/\(50278\), so nothing was saved\. Join a server/);
    discord.faults.refuseRest({ status: 503 });
    expect(await refusal('away')).toContain('Discord isn’t taking my messages right now');
    expect(received()).toEqual([]);
  });

  it('keeps to a pace over all people', async () => {
    const { attempt, newcomer, refusal, clock } = await openGreeting();
    for (let count = 0; count < 10; count += 1) await attempt('first', ENGLISH, newcomer());
    expect(await refusal('more', newcomer())).toBe(
      'Many people are starting right now. Nothing was saved. Try again at <t:1800000006:T>.',
    );
    clock.ms += 6_000;
    await attempt('later', ENGLISH, newcomer());
    expect(await refusal('again', newcomer())).toContain('Many people are starting');
  });

  it('is tried a few times for one person, who keeps nobody else from theirs', async () => {
    const { discord, member, attempt, newcomer, refusal, clock } = await openGreeting();
    discord.setTakesDms(member.userId, false);
    for (let count = 0; count < 3; count += 1)
      expect(await refusal(`${count}`)).toContain('(50007)');
    for (let count = 0; count < 50; count += 1)
      expect(await refusal(`more ${count}`)).toBe(
        'Slow down a little: try again at <t:1800000300:T>.',
      );
    for (let count = 0; count < 7; count += 1) await attempt('first', ENGLISH, newcomer());
    clock.ms += 300_000;
    expect(await refusal('later')).toContain('(50007)');
    expect(await refusal('again')).toContain('Slow down');
  });

  it('opens the direct message of who has none, and says why it can’t', async () => {
    const { discord, member, open, newcomer, refused, received, clock } = await openGreeting();
    const dm = await open(member.userId);
    expect(received()).toHaveLength(1);
    expect(dm).toBe(discord.openDm(member.userId).id);
    const closed = newcomer();
    discord.setTakesDms(closed, false);
    expect(await refused(open(closed))).toContain('(50007)');
    const route = 'POST /users/@me/channels';
    discord.faults.refuseRest({ status: 400, code: 50033, route });
    expect(await refused(open(newcomer()))).toContain('I can’t send you direct messages');
    discord.faults.refuseRest({ status: 503, route });
    expect(await refused(open(newcomer()))).toContain('Discord isn’t taking my messages');

    // Many have pressed: nobody’s is opened for a minute, so that Discord does not flag the bot.
    const open40003 = { status: 403, code: 40003, route };
    discord.faults.refuseRest(open40003);
    const pressing = newcomer();
    expect(await refused(open(pressing))).toBe(
      'Discord lets me open only so many direct messages at a time (40003), and many people have pressed. Nothing was saved. Try again in a minute.',
    );
    for (const personId of [pressing, newcomer()]) {
      expect(await refused(open(personId))).toContain('Try again at <t:1800000060:T>.');
    }
    clock.ms += 60_000;
    await open(pressing);
    expect(discord.messages(discord.openDm(pressing).id)).toHaveLength(1);
  });
});
