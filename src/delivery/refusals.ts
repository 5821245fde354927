/** Discord refuses the token, and has said so when asked again: nothing but another token helps. */
export class TokenRefused extends Error {
  constructor(cause: unknown) {
    super(
      'Discord refuses the bot’s token. Check DISCORD_TOKEN; a new one is made on the Bot page of the developer portal.',
      { cause },
    );
    this.name = 'TokenRefused';
  }
}

/** Cloudflare answers instead of Discord: this address has asked too much, and is turned away for a while. */
export class AddressBanned extends Error {
  /** How long, as the answer says, ms; null if it does not. */
  readonly pauseMs: number | null;

  constructor(status: number, pauseMs: number | null) {
    super(`Discord turns the requests of this address away (${status} before it is read).`);
    this.name = 'AddressBanned';
    this.pauseMs = pauseMs;
  }
}
