import * as z from 'zod';

/** A Discord id. */
export const snowflake = z.string().regex(/^\d{17,20}$/);

const PERSON_SIGN = '@';

/** Whose a watch is: a server's, by its id, or a person's own, by `@` and the person's id. */
export const ownerIdSchema = z.string().regex(/^@?\d{17,20}$/);

/** The owner of what a person has for themselves. @param userId a Discord id */
export function personOwner(userId: string): string {
  return PERSON_SIGN + userId;
}

/** The id of the person that an owner is; null: it is a server. */
export function personOf(ownerId: string): string | null {
  return ownerId.startsWith(PERSON_SIGN) ? ownerId.slice(PERSON_SIGN.length) : null;
}

/** Who counts as one where requests are shared fairly: each server, and all persons together. Persons share fairly among themselves. */
export function fairGroupOf(ownerId: string): string {
  return personOf(ownerId) === null ? ownerId : PERSON_SIGN;
}
