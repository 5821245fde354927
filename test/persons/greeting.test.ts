import { describe, expect, it } from 'vitest';
import { createRest } from '../../src/discord/client.ts';
import { ENGLISH, languageFor } from '../../src/language/language.ts';
import { UserError } from '../../src/language/user-error.ts';
import { createGreeting } from '../../src/persons/greeting.ts';
import { openUnlimitedFixture, TOKEN } from '../sandbox/fixture.ts';
import { collectingLog } from '../support/log.ts';

async function setUp() {
  const fixture = await openUnlimitedFixture();
  const clock = { ms: 0 };
  const { log } = collectingLog();
  const rest = createRest({ apiUrl: fixture.discord.apiUrl, token: TOKEN });
  const greet = createGreeting({ rest, nowMs: () => 1_800_000_000_000 + clock.ms, clockMs: () => clock.ms, log });
  const { id: channelId } = fixture.discord.openDm(fixture.member.userId);
  const attempt = (name: string, language = ENGLISH) => greet({ channelId, attempt: name, language });
  const refusal = async (name: string) => {
    const error: unknown = await attempt(name).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    if (!(error instanceof UserError)) throw new Error('It was taken.');
    return error.say(ENGLISH);
  };
  const received = () => fixture.discord.messages(channelId).map(({ content }) => content);
  return { ...fixture, clock, attempt, refusal, received };
}

describe('the first message to a person', () => {
  it('arrives once an attempt, in the person’s language', async () => {
    const { attempt, received } = await setUp();
    await attempt('one');
    await attempt('one');
    await attempt('two', languageFor('de'));
    expect(received()).toEqual([
      expect.stringContaining('Your private alerts come here'),
      expect.stringContaining('Deine privaten Meldungen kommen hierher'),
    ]);
  });

  it('that Discord refuses says why, and what to do', async () => {
    const { discord, member, guildId, refusal, received } = await setUp();
    discord.setTakesDms(member.userId, false);
    expect(await refusal('closed')).toMatch(/\(50007\), so nothing was saved\. Unblock me/);
    discord.kickBot(guildId);
    expect(await refusal('stranger')).toMatch(/\(50278\), so nothing was saved\. Join a server/);
    discord.faults.refuseRest({ status: 503 });
    expect(await refusal('away')).toContain('Discord isn’t taking my messages right now');
    expect(received()).toEqual([]);
  });

  it('keeps to a pace over all people', async () => {
    const { attempt, refusal, received, clock } = await setUp();
    for (let count = 0; count < 10; count += 1) await attempt(`${count}`);
    expect(await refusal('more')).toBe(
      'Many people are starting right now. Nothing was saved. Try again <t:1800000006:R>.',
    );
    clock.ms += 6_000;
    await attempt('later');
    expect(await refusal('again')).toContain('Many people are starting');
    expect(received()).toHaveLength(11);
  });
});
