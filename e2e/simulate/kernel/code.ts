import { builtinModules, createRequire } from 'node:module';
import vm from 'node:vm';
import { rolldown } from 'rolldown';
import type { Platform } from './platform.ts';

/** A change of one source file, as an exact text that occurs once in it. */
export interface SourceEdit {
  /** From the root of the repository. */
  readonly file: string;
  readonly search: string;
  readonly replace: string;
}

/** A program as one compiled function, which each evaluation gives module state of its own. */
export interface Code {
  evaluate(platform: Platform, replacements: Readonly<Record<string, unknown>>): unknown;
}

/** Loaded once for all: they keep no state but {@link forgetPrograms}, no time and no chance, or are never used here. */
const SHARED =
  /^(@node-rs\/argon2$|@opentelemetry\/|nodemailer|undici$|prom-client|js-yaml|json5|cosmiconfig|zod($|\/)|pino|@asteasolutions\/|import-in-the-middle)/;

const root = new URL('../../../', import.meta.url).pathname;

/** Bundles a program with these edits of its sources, which reach no file. Throws when one does not fit, or its file is no part of the program. */
export async function bundle(entry: string, edits: readonly SourceEdit[] = []): Promise<string> {
  const isBuiltin = (id: string): boolean => id.startsWith('node:') || builtinModules.includes(id);
  const left = new Set(edits);
  const built = await rolldown({
    input: new URL(entry, import.meta.url).pathname,
    cwd: root,
    platform: 'node',
    external: (id) => isBuiltin(id) || SHARED.test(id),
    logLevel: 'silent',
    plugins: [
      {
        name: 'edits',
        transform(code, id) {
          const own = edits.filter(({ file }) => id === root + file);
          if (own.length === 0) return null;
          let edited = code;
          for (const edit of own) {
            if (edited.split(edit.search).length !== 2) throw new Error(`the edit does not fit ${edit.file}: ${edit.search}`);
            edited = edited.replace(edit.search, () => edit.replace);
            left.delete(edit);
          }
          return { code: edited };
        },
      },
    ],
  });
  const { output } = await built.generate({ format: 'cjs', codeSplitting: false, dynamicImportInCjs: false });
  await built.close();
  const [unused] = left;
  if (unused !== undefined) throw new Error(`${unused.file} is no part of the program`);
  return output[0].code;
}

const shared = createRequire(new URL('../../../packages/api/src/process.ts', import.meta.url));
/** By their names, which Node looks up anew each time. */
const loaded = new Map<string, unknown>();

function loadShared(id: string): unknown {
  if (!loaded.has(id)) loaded.set(id, shared(id));
  return loaded.get(id);
}

interface SchemaRegistry {
  clear(): unknown;
}

/** Empties what a shared library keeps of programs that were evaluated, without which every past world stays in memory whole. */
export function forgetPrograms(): void {
  const { zodToOpenAPIRegistry }: { readonly zodToOpenAPIRegistry: SchemaRegistry } = shared('@asteasolutions/zod-to-openapi');
  zodToOpenAPIRegistry.clear();
}

/** Compiles a bundle. */
export function compile(text: string, name: string): Code {
  const parameters = ['exports', 'require', 'module', '__filename', '__dirname', ...GLOBALS];
  const script = new vm.Script(`(function (${parameters.join(', ')}) { ${text}\n})`, {
    filename: `${root}e2e/simulate/${name}.cjs`,
  });
  const run: (...values: unknown[]) => void = script.runInThisContext();
  return {
    evaluate({ globals, modules }, replacements) {
      const module: { exports: unknown } = { exports: {} };
      const replaced = { ...modules, ...replacements };
      const load = (id: string): unknown => {
        const plain = id.replace(/^node:/, '');
        return Object.hasOwn(replaced, plain) ? replaced[plain] : loadShared(id);
      };
      const values = GLOBALS.map((name) => (name === 'WebAssembly' ? compiledOnce : globals[name]));
      run(module.exports, load, module, `${root}e2e/simulate/${name}.cjs`, `${root}e2e/simulate`, ...values);
      return module.exports;
    },
  };
}

const compiled = new Map<string, WebAssembly.Module>();

/** Programs that bring the same WebAssembly share what it compiles to. */
const compiledOnce = Object.create(WebAssembly, {
  Module: {
    value: new Proxy(WebAssembly.Module, {
      construct(target, [bytes]: [Buffer]) {
        const key = `${bytes.length} ${bytes.toString('base64', 0, 64)} ${bytes.toString('base64', bytes.length - 64)}`;
        const known = compiled.get(key) ?? new target(new Uint8Array(bytes));
        compiled.set(key, known);
        return known;
      },
    }),
  },
});

const GLOBALS = [
  'globalThis',
  'global',
  'Date',
  'Math',
  'performance',
  'process',
  'crypto',
  'AbortSignal',
  'WebAssembly',
  'fetch',
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
  'simulatedWait',
];
