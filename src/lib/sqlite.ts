import sqlite3 from 'sqlite3';

export type SqlValue = string | number | Buffer | null;

const FLAGS = {
  create: sqlite3.OPEN_READWRITE | sqlite3.OPEN_CREATE | sqlite3.OPEN_FULLMUTEX,
  write: sqlite3.OPEN_READWRITE | sqlite3.OPEN_FULLMUTEX,
  read: sqlite3.OPEN_READONLY | sqlite3.OPEN_FULLMUTEX,
};

/**
 * Opens a SQLite file (or `:memory:`) with promises instead of callbacks. Its folder must exist,
 * and the file too unless the mode is `create`.
 */
export async function connect(path: string, mode: keyof typeof FLAGS) {
  const database = await promised<sqlite3.Database>((done) => {
    const opened: sqlite3.Database = new sqlite3.Database(path, FLAGS[mode], (error) =>
      done(error, opened),
    );
  });
  return {
    all: <Row>(sql: string, params: readonly SqlValue[] = []) =>
      promised<Row[]>((done) => database.all<Row>(sql, params, done)),
    run: (sql: string, params: readonly SqlValue[]) =>
      promised<void>((done) => database.run(sql, params, (error) => done(error, undefined))),
    /** Runs several statements and ignores their results. */
    exec: (sql: string) =>
      promised<void>((done) => database.exec(sql, (error) => done(error, undefined))),
    close: () => promised<void>((done) => database.close((error) => done(error, undefined))),
  };
}

function promised<T>(
  call: (done: (error: Error | null, result: T) => void) => unknown,
): Promise<T> {
  return new Promise((resolve, reject) =>
    call((error, result) => (error === null ? resolve(result) : reject(error))),
  );
}
