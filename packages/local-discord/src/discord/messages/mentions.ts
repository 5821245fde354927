import type { AllowedMentions } from '../forms/message.ts';
import type { Guild, Pings } from '../model.ts';

export const NO_PINGS: Pings = { everyone: false, userIds: [], roleIds: [] };

export interface MentionContext {
  readonly content: string;
  readonly allowed: AllowedMentions | null | undefined;
  /**
   * Whether only users are pinged unless `allowed_mentions` says otherwise; true for replies and
   * follow-ups to interactions, and for webhooks.
   */
  readonly usersOnlyByDefault: boolean;
  readonly guild: Guild | undefined;
  readonly mayMentionEveryone: boolean;
  /** Author of the message being replied to. */
  readonly repliedUserId: string | null;
}

/**
 * Returns whom a message would ping (resources/message.mdx, "Allowed Mentions Object"). Embeds
 * never ping.
 */
export function findPings(context: MentionContext): Pings {
  const { content: text, allowed, guild } = context;
  const usual = context.usersOnlyByDefault ? ['users'] : ['users', 'roles', 'everyone'];
  const parse = new Set<string>(allowed ? (allowed.parse ?? []) : usual);
  const idsIn = (pattern: RegExp) =>
    new Set([...text.matchAll(pattern)].flatMap((match) => match[1] ?? []));

  const userIds = [...idsIn(/<@!?(\d{17,20})>/g)].filter(
    (id) => parse.has('users') || (allowed?.users?.includes(id) ?? false),
  );
  const repliedUser = allowed ? (allowed.replied_user ?? false) : true;
  if (context.repliedUserId !== null && repliedUser && !userIds.includes(context.repliedUserId)) {
    userIds.push(context.repliedUserId);
  }
  const roleIds = [...idsIn(/<@&(\d{17,20})>/g)].filter((id) => {
    const role = guild?.roles.get(id);
    const isAllowed = parse.has('roles') || (allowed?.roles?.includes(id) ?? false);
    return role !== undefined && isAllowed && (role.mentionable || context.mayMentionEveryone);
  });
  const everyone =
    /@(everyone|here)\b/.test(text) && parse.has('everyone') && context.mayMentionEveryone;
  return { everyone, userIds, roleIds };
}
