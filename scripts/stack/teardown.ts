/** Thrown by a step that was running when the stack was stopped. */
export class Interrupted extends Error {}

/** What has to be undone, in the reverse order of its doing. */
export interface Teardown {
  /** Remembers how to undo something. Throws `Interrupted`, after undoing it, when the undoing has already begun. */
  add(undo: () => Promise<void>): Promise<void>;
  /** Throws `Interrupted` when the undoing has begun: called between steps. */
  check(): void;
  /** Undoes everything, once; every call resolves when that is done. */
  run(): Promise<void>;
}

export function createTeardown(): Teardown {
  const undos: (() => Promise<void>)[] = [];
  let running: Promise<void> | undefined;
  const undoAll = async (): Promise<void> => {
    for (let undo = undos.pop(); undo; undo = undos.pop()) await undo();
  };
  return {
    async add(undo) {
      if (!running) {
        undos.push(undo);
        return;
      }
      await undo();
      throw new Interrupted();
    },
    check() {
      if (running) throw new Interrupted();
    },
    run() {
      running ??= undoAll();
      return running;
    },
  };
}
