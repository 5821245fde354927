/** The store cannot be used: says which, what is wrong with it and what to do. */
export class StoreError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'StoreError';
  }
}

/** Whether an error of SQLite or of the file system says that a disk is full. */
export function isDiskFull(error: unknown): boolean {
  return /SQLITE_FULL|ENOSPC|EDQUOT/.test(String(error));
}

/** No room for what is to be written. @param what such as `The store data/bot.sqlite` */
export function diskFull(what: string, cause: unknown): StoreError {
  return new StoreError(`${what} cannot be written: its disk is full. Make room there.`, cause);
}

/** A folder stands where the store's file should be. */
export function storeIsFolder(path: string): StoreError {
  return new StoreError(`The store ${path} is a folder. Name a file in it in STORE_URL.`, undefined);
}

/** Somebody else has it. */
export function storeInUse(shown: string, cause: unknown): StoreError {
  return new StoreError(
    `The store ${shown} is in use by another walletbell. Two bots on one store would ring everything twice: end the other one, or set another STORE_URL.`,
    cause,
  );
}

/** It was this process's, and is no more. */
export function lostStore(shown: string): StoreError {
  return new StoreError(
    `The store ${shown} does not belong to this process any more: another walletbell has opened it, or its data was removed or replaced while it was open. This bot ends, so that nothing rings twice.`,
    undefined,
  );
}

/** The connection stands, but nothing comes back. */
export function silentStore(shown: string): StoreError {
  return new StoreError(
    `The store ${shown} has stopped answering although the connection stands. This bot ends, so that it is started again with a new connection.`,
    undefined,
  );
}
