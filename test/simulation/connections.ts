/**
 * Connections to a run's store that are kept for the next process and the next run, with the statements that they have
 * prepared: opening 14 of them took a third of a run. A connection holds nothing of the process that had it.
 */
import Database from '../../src/store/sqlite/driver.js';

/** How a connection is set, and what it is asked about itself. */
interface PragmaOptions {
  simple?: boolean;
}
type Statement = Database.Statement<unknown[], unknown>;
type Work = (...values: unknown[]) => unknown;

class Kept {
  readonly real: Database.Database;
  readonly statements = new Map<string, Statement[]>();
  /** Setting → the text that it was last set by. */
  readonly set = new Map<string, string>();
  /** Functions of SQL: those of whoever has the connection. */
  readonly functions = new Map<string, Work>();
  readonly tables = new Set<string>();

  constructor(path: string, timeout: number) {
    this.real = new Database(path, { timeout });
  }
}

/** What a process has of a connection: as much of a database's interface as the store calls. */
class Lent {
  open = true;
  readonly #taken: [text: string, statement: Statement][] = [];

  constructor(
    private readonly kept: Kept,
    private readonly giveBack: () => void,
  ) {}

  get inTransaction(): boolean {
    return this.kept.real.inTransaction;
  }

  prepare(text: string): Statement {
    const statement = this.kept.statements.get(text)?.pop() ?? this.kept.real.prepare<unknown[], unknown>(text);
    this.#taken.push([text, statement]);
    return statement;
  }

  pragma(text: string, options: PragmaOptions = {}): unknown {
    const [name = '', value] = text.split(' = ');
    if (value !== undefined) {
      if (this.kept.set.get(name) === value) return undefined;
      this.kept.set.set(name, value);
    }
    const statements = this.kept.statements;
    const key = `pragma ${text}`;
    const statement = statements.get(key)?.pop() ?? this.kept.real.prepare<unknown[], unknown>(key);
    try {
      if (!statement.reader) return statement.run();
      return options.simple ? statement.pluck().get() : statement.all();
    } finally {
      putBack(statements, key, statement);
    }
  }

  function(name: string, options: object, work?: Work): void {
    const { functions, real } = this.kept;
    const isNew = !functions.has(name);
    functions.set(name, work ?? (options as Work));
    const called: Work = (...values) => functions.get(name)?.(...values);
    if (!isNew) return;
    if (work === undefined) real.function(name, { varargs: true }, called);
    else real.function(name, { ...options, varargs: true }, called);
  }

  /** Tables that the program makes of what it is given: the same in every process. */
  table(name: string, definition: Parameters<Database.Database['table']>[1]): void {
    if (this.kept.tables.has(name)) return;
    this.kept.tables.add(name);
    this.kept.real.table(name, definition);
  }

  transaction(work: () => void): unknown {
    return this.kept.real.transaction(work);
  }

  exec(text: string): void {
    this.kept.real.exec(text);
  }

  close(): void {
    if (!this.open) return;
    this.open = false;
    if (this.inTransaction) this.kept.real.exec('rollback');
    for (const [text, statement] of this.#taken) putBack(this.kept.statements, text, statement);
    this.giveBack();
  }
}

function putBack(statements: Map<string, Statement[]>, text: string, statement: Statement): void {
  if (statement.reader) statement.raw(false).pluck(false);
  const same = statements.get(text);
  if (same) same.push(statement);
  else statements.set(text, [statement]);
}

export class Connections {
  readonly #idle = new Map<string, Kept[]>();
  readonly #all = new Set<Kept>();
  readonly #lent = new Set<Lent>();

  readonly connect = (path: string, timeout: number): Database.Database => {
    const idle = this.#idle.get(path) ?? [];
    this.#idle.set(path, idle);
    const kept = idle.pop() ?? new Kept(path, timeout);
    this.#all.add(kept);
    const lent = new Lent(kept, () => {
      this.#lent.delete(lent);
      idle.push(kept);
    });
    this.#lent.add(lent);
    return lent as unknown as Database.Database;
  };

  /** Takes back what processes that ended in the middle of something have not given back. */
  recall(): void {
    for (const lent of this.#lent) lent.close();
  }

  close(): void {
    this.recall();
    for (const { real } of this.#all) real.close();
  }
}
