import sqlite3 from 'sqlite3';

export type SqlValue = string | number | Buffer | null;

/**
 * Most prepared statements that are kept; preparing one costs half of a small write. Beyond this
 * number none are added, so that generated statements cannot fill the memory.
 */
const KEPT_STATEMENTS = 64;

const FLAGS = {
  create: sqlite3.OPEN_READWRITE | sqlite3.OPEN_CREATE | sqlite3.OPEN_FULLMUTEX,
  read: sqlite3.OPEN_READONLY | sqlite3.OPEN_FULLMUTEX,
};

/**
 * Opens a SQLite file (or `:memory:`) with promises instead of callbacks. Its folder must exist,
 * and so must the file unless the mode is `create`. Statements are prepared once and kept.
 */
export async function connect(path: string, mode: keyof typeof FLAGS) {
  const database = await promised<sqlite3.Database>((done) => {
    const opened: sqlite3.Database = new sqlite3.Database(path, FLAGS[mode], (error) =>
      done(error, opened),
    );
  });
  const kept = new Map<string, Promise<sqlite3.Statement>>();

  /** @returns null if the statement is to be prepared for this use only */
  function statement(sql: string): Promise<sqlite3.Statement> | null {
    const found = kept.get(sql);
    if (found !== undefined || kept.size >= KEPT_STATEMENTS) return found ?? null;
    const prepared = promised<sqlite3.Statement>((done) => {
      const made: sqlite3.Statement = database.prepare(sql, (error: Error | null) =>
        done(error, made),
      );
    });
    kept.set(sql, prepared);
    prepared.catch(() => kept.delete(sql));
    return prepared;
  }

  return {
    async all<Row>(sql: string, params: readonly SqlValue[] = []) {
      const prepared = await statement(sql);
      return promised<Row[]>((done) =>
        prepared === null ? database.all<Row>(sql, params, done) : prepared.all<Row>(params, done),
      );
    },
    async run(sql: string, params: readonly SqlValue[] = []) {
      const prepared = await statement(sql);
      return promised<{ readonly changes: number; readonly lastId: number }>((done) => {
        const onDone = function (this: sqlite3.RunResult, error: Error | null) {
          done(error, { changes: this.changes, lastId: this.lastID });
        };
        return prepared === null ? database.run(sql, params, onDone) : prepared.run(params, onDone);
      });
    },
    /** Runs several statements and discards their results. */
    exec: (sql: string) =>
      promised<void>((done) => database.exec(sql, (error) => done(error, undefined))),
    async close() {
      for (const prepared of kept.values()) (await prepared).finalize();
      await promised<void>((done) => database.close((error) => done(error, undefined)));
    },
  };
}
export type Connection = Awaited<ReturnType<typeof connect>>;

function promised<T>(
  call: (done: (error: Error | null, result: T) => void) => unknown,
): Promise<T> {
  return new Promise((resolve, reject) =>
    call((error, result) => (error === null ? resolve(result) : reject(error))),
  );
}
