import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shownStore } from '../../src/store/address.ts';

it('names the database of a server in messages, and neither user nor password', () => {
  const word = fc.stringMatching(/^[a-z]{8,12}$/);
  fc.assert(
    fc.property(
      fc.uniqueArray(word, { minLength: 3, maxLength: 3 }),
      fc.nat(15),
      ([user, password, name], number) => {
        expect(
          shownStore(`postgres://${user}:${password}@db.example:5432/${name}?sslmode=verify-full`),
        ).toBe(`postgres://db.example:5432/${name}`);
        expect(shownStore(`redis://${user}:${password}@127.0.0.1:6379/${number}`)).toBe(
          `redis://127.0.0.1:6379/${number}`,
        );
      },
    ),
  );
});
