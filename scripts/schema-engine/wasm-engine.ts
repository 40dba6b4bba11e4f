import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import * as wasm from '@prisma/schema-engine-wasm/schema_engine_bg';
import { inDatabase, migrationNames } from '../stack/database.ts';

/** PostgreSQL's internal single-byte type "char", used throughout its catalogue. */
const CHAR_OID = 18;
const TEXT_OID = 25;
const CHAR_MARK = '\0char';

type Connection = Awaited<ReturnType<PrismaPg['connect']>>;

/**
 * The adapter refuses the type "char". The column is passed as text with a mark on its name, and is declared as a character
 * afterwards, because the engine requires that type.
 */
function understandChar(connection: Connection): void {
  const pool = connection.underlyingDriver();
  const query = pool.query.bind(pool);
  Object.assign(pool, {
    async query(...args: unknown[]) {
      const result = await Reflect.apply(query, pool, args);
      for (const field of result.fields ?? []) {
        if (field.dataTypeID === CHAR_OID) Object.assign(field, { dataTypeID: TEXT_OID, name: `${field.name}${CHAR_MARK}` });
      }
      return result;
    },
  });
  const queryRaw = connection.queryRaw.bind(connection);
  connection.queryRaw = async (statement) => {
    const { columnNames, columnTypes, rows } = await queryRaw(statement);
    return {
      columnNames: columnNames.map((name) => name.replace(CHAR_MARK, '')),
      columnTypes: columnTypes.map((type, index) => (columnNames[index]?.endsWith(CHAR_MARK) ? ColumnTypeEnum.Character : type)),
      rows,
    };
  };
}

/**
 * The adapter would cut a script at every semicolon, those in comments and function bodies included. Several commands are one
 * transaction, as PostgreSQL makes of a script that it gets whole; they are sent one by one, because Citus hands on to its nodes the whole
 * text that a command came in.
 */
function runScripts(connection: Connection): void {
  connection.executeScript = async (script) => {
    const commands = splitCommands(script).map((sql) => ({ sql, args: [], argTypes: [] }));
    const [only, ...others] = commands;
    if (only === undefined) return;
    if (others.length === 0) {
      await connection.executeRaw(only); // what builds an index concurrently takes no transaction around it
      return;
    }
    const transaction = await connection.startTransaction();
    try {
      for (const command of commands) await transaction.executeRaw(command);
      await transaction.executeRaw({ sql: 'COMMIT', args: [], argTypes: [] });
      await transaction.commit();
    } catch (error) {
      await transaction.executeRaw({ sql: 'ROLLBACK', args: [], argTypes: [] });
      await transaction.rollback();
      throw error;
    }
  };
}

async function open(databaseUrl: string): Promise<Connection> {
  const connection = await new PrismaPg({ connectionString: databaseUrl }).connect();
  understandChar(connection);
  runScripts(connection);
  return connection;
}

/** Connects the engine to a database, and to a scratch ("shadow") database beside it that goes away when it is done with. */
class Connections extends PrismaPg {
  readonly #databaseUrl: string;

  constructor(databaseUrl: string) {
    super({ connectionString: databaseUrl });
    this.#databaseUrl = databaseUrl;
  }

  override async connect(): Promise<Connection> {
    return open(this.#databaseUrl);
  }

  override async connectToShadowDb(): Promise<Connection> {
    const main = await this.connect();
    const name = `prisma_migrate_shadow_db_${randomUUID()}`;
    await main.executeScript(`CREATE DATABASE "${name}"`);
    const shadow = await open(inDatabase(this.#databaseUrl, name));
    const disconnect = shadow.dispose.bind(shadow);
    shadow.dispose = async () => {
      await disconnect();
      await main.executeScript(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
      await main.dispose();
    };
    return shadow;
  }
}

let panic: string | null = null;

/** Message that the engine reported before it aborted; null when it has not. */
export function lastPanic(): string | null {
  return panic;
}

interface EngineOptions {
  readonly databaseUrl: string;
  /** The schema files as pairs of path and text. */
  readonly datamodels?: [string, string][];
  readonly trace?: (message: unknown) => void;
}

/**
 * Loads the WebAssembly build of the schema engine and points it at a database.
 * It connects at once, and fails when it cannot.
 */
export async function loadEngine({ databaseUrl, datamodels = [], trace = () => undefined }: EngineOptions) {
  const glue = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const bytes = readFileSync(glue.replace(/\.js$/, '.wasm'));
  const { instance } = await WebAssembly.instantiate(bytes, { './schema_engine_bg.js': { ...wasm } });
  wasm.__wbg_set_wasm(instance.exports);
  const registry = {
    set_message(message: string) {
      panic = message;
    },
  };
  Reflect.set(globalThis, 'PRISMA_WASM_PANIC_REGISTRY', registry);
  const start = instance.exports.__wbindgen_start;
  if (typeof start !== 'function') throw new Error('The WebAssembly schema engine cannot be started: wrong version?');
  start();
  const adapter = bindMigrationAwareSqlAdapterFactory(new Connections(databaseUrl));
  return wasm.SchemaEngine.new({ datamodels: datamodels.length > 0 ? datamodels : undefined }, trace, adapter);
}

/**
 * Applies the pending migrations of a folder, as `prisma migrate deploy` does, with the same lock and the same records, without the
 * CLI, which production installs without. Returns the names of those that were applied; throws what the engine says when one fails.
 */
export async function applyMigrations(folder: string, databaseUrl: string): Promise<string[]> {
  const engine = await loadEngine({ databaseUrl });
  const read = (...path: string[]): string => readFileSync(join(folder, ...path), 'utf8');
  const { appliedMigrationNames } = await engine.applyMigrations({
    migrationsList: {
      baseDir: folder,
      lockfile: { path: 'migration_lock.toml', content: read('migration_lock.toml') },
      shadowDbInitScript: '',
      migrationDirectories: migrationNames(folder).map((path) => ({
        path,
        migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: read(path, 'migration.sql') } },
      })),
    },
    filters: { externalTables: [], externalEnums: [] },
  });
  return appliedMigrationNames;
}

/** Parts of a script in which a semicolon ends no command: comments, quoted texts and names, and bodies between dollar signs. */
const OPAQUE = [
  /--[^\n]*/y,
  /\/\*[\s\S]*?\*\//y,
  /E'(?:[^'\\]|\\[\s\S]|'')*'/iy,
  /'(?:[^']|'')*'/y,
  /"(?:[^"]|"")*"/y,
  /(\$(?:[A-Za-z_]\w*)?\$)[\s\S]*?\1/y,
  // A name, so that an E or a dollar sign within it begins nothing.
  /[A-Za-z_][\w$]*/y,
];

/**
 * The commands of an SQL script, without the semicolons that end them; what is only blank or comments is left out. Comments that contain
 * comments are not understood. `sql-formatter`, `dbgate-query-splitter` and `libpg-query` were looked at: more than a script of ours
 * needs, and each would be part of every installation.
 */
export function splitCommands(script: string): string[] {
  const commands: string[] = [];
  let begins = 0;
  let hasCode = false;
  const end = (at: number): void => {
    if (hasCode) commands.push(script.slice(begins, at).trim());
    hasCode = false;
  };
  for (let at = 0; at < script.length; ) {
    const length = opaqueLength(script, at);
    if (length > 0) {
      if (!/^(--|\/\*)/.test(script.slice(at, at + 2))) hasCode = true;
      at += length;
    } else if (script[at] === ';') {
      end(at);
      at += 1;
      begins = at;
    } else {
      if (!/\s/.test(script[at] ?? '')) hasCode = true;
      at += 1;
    }
  }
  end(script.length);
  return commands;
}

/** Length of the part that begins here and is to be taken whole; 0 where none does. */
function opaqueLength(script: string, at: number): number {
  for (const pattern of OPAQUE) {
    pattern.lastIndex = at;
    const match = pattern.exec(script);
    // `E'…'` is looked for before names, and a name before it would be in the way.
    if (match !== null) return match[0].length;
  }
  return 0;
}
