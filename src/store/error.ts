/** The store cannot be used: says which file, what is wrong with it and what to do. */
export class StoreError extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'StoreError';
  }
}
