import sqlite3 from 'sqlite3';

export type SqlValue = string | number | Buffer | null;

/** One SQLite connection with promises instead of callbacks. Statements are prepared once and kept. */
export interface Connection {
  all<Row>(sql: string, params?: readonly SqlValue[]): Promise<Row[]>;
  run(sql: string, params?: readonly SqlValue[]): Promise<{ readonly changes: number; readonly lastId: number }>;
  /** Runs several statements; their results are dropped. */
  exec(sql: string): Promise<void>;
  close(): Promise<void>;
}

/** Statements of rarer shapes than these are prepared anew each time, so that a caller cannot fill the memory. */
const KEPT_STATEMENTS = 64;

/** Opens a SQLite file (or `:memory:`); its folder must exist. */
export async function connect(path: string, mode: 'write' | 'read'): Promise<Connection> {
  const flags =
    mode === 'write'
      ? sqlite3.OPEN_READWRITE | sqlite3.OPEN_CREATE | sqlite3.OPEN_FULLMUTEX
      : sqlite3.OPEN_READONLY | sqlite3.OPEN_FULLMUTEX;
  const database = await new Promise<sqlite3.Database>((resolve, reject) => {
    const opened: sqlite3.Database = new sqlite3.Database(path, flags, (error) =>
      error === null ? resolve(opened) : reject(error),
    );
  });
  const kept = new Map<string, sqlite3.Statement>();

  function statement(sql: string): sqlite3.Statement | undefined {
    const found = kept.get(sql);
    if (found !== undefined || kept.size >= KEPT_STATEMENTS) return found;
    // A fault of preparing comes back from the first use as well, where it can be told to the caller.
    const prepared = database.prepare(sql, () => {});
    kept.set(sql, prepared);
    return prepared;
  }

  return {
    all: <Row>(sql: string, params: readonly SqlValue[] = []) =>
      new Promise<Row[]>((resolve, reject) => {
        const done = (error: Error | null, rows: Row[]) => (error === null ? resolve(rows) : reject(error));
        const prepared = statement(sql);
        if (prepared === undefined) database.all<Row>(sql, params, done);
        else prepared.all<Row>(params, done);
      }),
    run: (sql, params = []) =>
      new Promise((resolve, reject) => {
        const done = function (this: sqlite3.RunResult, error: Error | null) {
          if (error === null) resolve({ changes: this.changes, lastId: this.lastID });
          else reject(error);
        };
        const prepared = statement(sql);
        if (prepared === undefined) database.run(sql, params, done);
        else prepared.run(params, done);
      }),
    exec: (sql) =>
      new Promise((resolve, reject) => {
        database.exec(sql, (error) => (error === null ? resolve() : reject(error)));
      }),
    async close() {
      await Promise.all(
        [...kept.values()].map((prepared) => new Promise<void>((done) => prepared.finalize(() => done()))),
      );
      kept.clear();
      await new Promise<void>((resolve, reject) => {
        database.close((error) => (error === null ? resolve() : reject(error)));
      });
    },
  };
}
