/** The save state of a draft. */
export type SaveState =
  | { readonly kind: 'saved' }
  | { readonly kind: 'waiting' }
  | { readonly kind: 'saving' }
  /** It was not stored and stays here; `message` is the reason. */
  | { readonly kind: 'failed'; readonly message: string }
  /** Another person saved first. Nothing is stored until the conflict is resolved. */
  | { readonly kind: 'conflict' };

/** The server's answer to a save. */
export type SaveOutcome =
  | { readonly kind: 'saved'; readonly revision: number }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'refused'; readonly message: string };

interface DraftSaverSetup<Document> {
  readonly revision: number;
  readonly save: (document: Document, revision: number) => Promise<SaveOutcome>;
  readonly onState: (state: SaveState) => void;
  /** Calls back a little later; returns what prevents it. */
  readonly later: (run: () => void) => () => void;
}

/**
 * Stores a draft as it is written: one call at a time, always the latest document, each on the revision of the one before. A
 * document that could not be stored is tried again with the next change or flush; after a conflict nothing is stored until
 * `adopt`, so that no one's changes are overwritten unseen.
 */
export class DraftSaver<Document> {
  readonly #setup: DraftSaverSetup<Document>;
  #revision: number;
  #waiting: { readonly document: Document } | null = null;
  /** Resolves to false where a change could not be stored; never rejects. */
  #running: Promise<boolean> | null = null;
  #cancel: (() => void) | null = null;
  #isBlocked = false;

  constructor(setup: DraftSaverSetup<Document>) {
    this.#setup = setup;
    this.#revision = setup.revision;
  }

  get revision(): number {
    return this.#revision;
  }

  /** True if there are unsaved changes. */
  get isDirty(): boolean {
    return this.#waiting !== null || this.#running !== null;
  }

  /** Saves this after a short delay, together with later changes. */
  change(document: Document): void {
    this.#waiting = { document };
    if (this.#isBlocked) return;
    this.#setup.onState({ kind: 'waiting' });
    this.stop();
    this.#cancel = this.#setup.later(() => void this.#start());
  }

  /** Stores at once what is not stored yet; true when all of it is. */
  async flush(): Promise<boolean> {
    await this.#running;
    await this.#start();
    return this.#waiting === null;
  }

  /**
   * Runs another save of the draft in its turn: after the changes so far, and before later ones, so that neither is refused for the
   * revision that the other stores. Null, and not run, where the changes could not be stored. Rejects where `save` does.
   */
  async saveInTurn(save: (revision: number) => Promise<SaveOutcome>): Promise<SaveOutcome | null> {
    while (this.#running !== null || this.#waiting !== null) {
      if (!(await (this.#running ?? this.#start()))) return null;
    }
    const saving = save(this.#revision);
    this.#running = saving
      .then(
        (outcome) => {
          if (outcome.kind === 'saved') this.#revision = outcome.revision;
          return true;
        },
        () => true,
      )
      .finally(() => {
        this.#running = null;
        // A change whose delay is over waited for its turn.
        if (this.#waiting !== null && this.#cancel === null) void this.#start();
      });
    await this.#running;
    return saving;
  }

  /** Continues from a revision that was stored otherwise. Drops unsaved changes; the caller keeps them if they are needed. */
  adopt(revision: number): void {
    this.stop();
    this.#revision = revision;
    this.#waiting = null;
    this.#isBlocked = false;
    this.#setup.onState({ kind: 'saved' });
  }

  /** Starts no more saves; a running one completes. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #start(): Promise<boolean> {
    this.stop();
    this.#running ??= this.#drain().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** Stores pending documents, also those that arrive during a call, until one is not stored. */
  async #drain(): Promise<boolean> {
    let isStored = !this.#isBlocked;
    while (isStored && this.#waiting !== null) {
      const { document } = this.#waiting;
      this.#waiting = null;
      isStored = await this.#store(document);
    }
    return isStored;
  }

  /** True if it was stored. */
  async #store(document: Document): Promise<boolean> {
    const { save, onState } = this.#setup;
    onState({ kind: 'saving' });
    try {
      const outcome = await save(document, this.#revision);
      if (outcome.kind === 'saved') {
        this.#revision = outcome.revision;
        if (this.#waiting === null) onState({ kind: 'saved' });
        return true;
      }
      this.#isBlocked = outcome.kind === 'conflict';
      onState(outcome.kind === 'conflict' ? { kind: 'conflict' } : { kind: 'failed', message: outcome.message });
    } catch (error) {
      onState({ kind: 'failed', message: error instanceof Error ? error.message : 'The server did not answer.' });
    }
    this.#waiting ??= { document };
    return false;
  }
}
