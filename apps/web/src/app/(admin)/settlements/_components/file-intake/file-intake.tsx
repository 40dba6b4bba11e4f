'use client';

import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { FileDrop } from '#/components/file-drop/file-drop.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { Select } from '#/components/select/select.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { failureText } from '#/forms/failure-text.ts';
import { useTRPC } from '#/trpc/client.tsx';

/** Bytes that the server takes. */
const FILE_MAX = 24 * 1_048_576;

/** A file by its name, with its bytes in base64. */
interface NamedContent {
  readonly name: string;
  readonly content: string;
}

/** A file that was chosen, and what is known of it so far. */
interface ChosenFile<Columns, Mapped, Preview> extends NamedContent {
  readonly columns: Columns;
  readonly previewed: { readonly mapped: Mapped; readonly preview: Preview } | null;
}

/** Where the columns of a file are, as a person says; null is found out from the titles. */
interface ChosenPlace {
  readonly sheet: string | null;
  readonly titlesLine: number | null;
}

const ANYWHERE: ChosenPlace = { sheet: null, titlesLine: null };

/** The calls by which a kind of file is taken in. */
interface FileIntakeSteps<Columns extends object, Mapped, Preview extends { readonly hash: string }> {
  readonly noun: string;
  /** Finds the columns of a file, or the place where it cannot be read. */
  readonly inspect: (
    content: string,
    place: ChosenPlace,
  ) => Promise<Columns | { readonly kind: 'unreadable'; readonly problem: UnreadablePlace }>;
  /** Meaning of the columns of a file that says it by itself; undefined where a person names them. */
  readonly mappedOf: (columns: Columns) => Mapped | undefined;
  readonly preview: (file: NamedContent, mapped: Mapped) => Promise<Preview>;
  /** Takes the file in as the preview of this hash said: how far it is, and then what was done. */
  readonly take: (file: NamedContent, mapped: Mapped, confirmed: Confirmed) => Promise<AsyncIterable<Taking<Preview>>>;
}

/** A preview that a person confirms; the reason where what is stored is changed. */
interface Confirmed {
  readonly hash: string;
  readonly reason: string;
}

/** How far a file is on its way in. */
export interface IntakeProgress {
  readonly stage: 'reading' | 'storing';
  readonly done: number;
  readonly of: number;
}

/** Progress or end of a file on its way in. `text` says what was done. */
export type Taking<Preview> =
  | { readonly kind: 'progress'; readonly progress: IntakeProgress }
  | { readonly kind: 'taken'; readonly text: string }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'reason_missing' }
  | { readonly kind: 'changed'; readonly preview: Preview };

interface UnreadablePlace {
  readonly line: number;
  readonly column: string | number;
  readonly message: string;
}

/** A file on its way in. */
interface FileIntake<Columns, Mapped, Preview> {
  readonly chosen: ChosenFile<Columns, Mapped, Preview> | null;
  readonly refusal: string | null;
  /** How far a file is that is taken in; null while none is. */
  readonly progress: IntakeProgress | null;
  choose(file: File): Promise<void>;
  /** Looks for the columns of the chosen file in another sheet or below another row. */
  look(chosen: ChosenFile<Columns, Mapped, Preview>, place: ChosenPlace): Promise<void>;
  /** Shows the preview of a file by these columns. Rejects as the call does. */
  show(chosen: ChosenFile<Columns, Mapped, Preview>, mapped: Mapped): Promise<void>;
  /** Takes a file in as its preview says; without a preview it does nothing. */
  run(chosen: ChosenFile<Columns, Mapped, Preview>, reason?: string): Promise<void>;
}

/** Takes in a file: its columns are named, what becomes of it is shown, and exactly that is done. */
export function useFileIntake<Columns extends object, Mapped, Preview extends { readonly hash: string }>({
  noun,
  inspect,
  mappedOf,
  preview,
  take,
}: FileIntakeSteps<Columns, Mapped, Preview>): FileIntake<Columns, Mapped, Preview> {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<ChosenFile<Columns, Mapped, Preview> | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [progress, setProgress] = useState<IntakeProgress | null>(null);

  async function inspectAt({ name, content }: NamedContent, place: ChosenPlace): Promise<Columns | null> {
    const columns = await inspect(content, place);
    if (!('problem' in columns)) return columns;
    const { line, column, message } = columns.problem;
    setRefusal(`${name} cannot be read. Line ${line}: ${column} ${message}.`);
    return null;
  }

  async function show(current: ChosenFile<Columns, Mapped, Preview>, mapped: Mapped): Promise<void> {
    setRefusal(null);
    setChosen({ ...current, previewed: { mapped, preview: await preview(current, mapped) } });
  }

  /** Returns how it ended. */
  async function follow(taking: AsyncIterable<Taking<Preview>>): Promise<Exclude<Taking<Preview>, { kind: 'progress' }>> {
    for await (const heard of taking) {
      if (heard.kind !== 'progress') return heard;
      setProgress(heard.progress);
    }
    throw new Error('The server ended without saying what was done.');
  }

  return {
    chosen,
    refusal,
    progress,
    async choose(file) {
      setChosen(null);
      setRefusal(null);
      const { name } = file;
      if (file.size > FILE_MAX) return setRefusal(`${name} is too large: it may have 24 MiB.`);
      try {
        const content = await readContent(file);
        const columns = await inspectAt({ name, content }, ANYWHERE);
        if (columns === null) return;
        const current = { name, content, columns, previewed: null };
        setChosen(current);
        const mapped = mappedOf(columns);
        if (mapped !== undefined) await show(current, mapped);
      } catch (error) {
        setRefusal(failureText(error));
      }
    },
    async look(current, place) {
      setRefusal(null);
      try {
        const columns = await inspectAt(current, place);
        if (columns !== null) setChosen({ ...current, columns, previewed: null });
      } catch (error) {
        setRefusal(failureText(error));
      }
    },
    show,
    async run(current, reason = '') {
      if (current.previewed === null) return;
      const { mapped, preview: shown } = current.previewed;
      setRefusal(null);
      setProgress({ stage: 'reading', done: 0, of: 0 });
      try {
        const outcome = await follow(await take(current, mapped, { hash: shown.hash, reason }));
        switch (outcome.kind) {
          case 'taken':
            showToast({ text: outcome.text });
            break;
          case 'unchanged':
            showToast({ text: `This ${noun} was already imported: nothing has changed.` });
            break;
          case 'reason_missing':
            return setRefusal('Enter a reason.');
          case 'changed':
            setChosen({ ...current, previewed: { mapped, preview: outcome.preview } });
            return setRefusal('Nothing was imported: something has changed since the preview. Review the new preview below.');
          default:
            return outcome satisfies never;
        }
        setChosen(null);
        await queries.invalidateQueries(trpc.settlements.pathFilter());
      } catch (error) {
        setRefusal(failureText(error));
      } finally {
        setProgress(null);
      }
    },
  };
}

/** The place where a file is chosen, and below it what `children` makes of the chosen one. */
export function FileIntakeSection<Columns, Mapped, Preview>({
  noun,
  accept,
  reading,
  intake: { chosen, refusal, choose },
  children,
}: {
  noun: string;
  accept: string;
  reading: boolean;
  intake: FileIntake<Columns, Mapped, Preview>;
  children: (chosen: ChosenFile<Columns, Mapped, Preview>) => ReactNode;
}) {
  return (
    <section aria-label={`Import a ${noun}`} className="mb-8">
      <FileDrop
        accept={accept}
        label={chosen === null ? `Choose a ${noun}` : `Choose another ${noun}`}
        hint={reading ? 'Reading the file…' : (chosen?.name ?? 'or drop it here')}
        disabled={false}
        onFile={(file) => void choose(file)}
      />
      <Refusal message={refusal} />
      {chosen !== null && children(chosen)}
    </section>
  );
}

interface Place {
  readonly sheets: readonly { readonly name: string; readonly isHidden: boolean }[];
  readonly sheet: string | null;
  readonly titlesLine: number;
  readonly titleRows: readonly { readonly line: number; readonly text: string }[];
}

/** The sheet of a workbook and the row of titles that a file is read from. Another choice reads the titles again. */
export function PlaceFields({
  place: { sheets, sheet, titlesLine, titleRows },
  onPlace,
}: {
  place: Place;
  onPlace: (place: ChosenPlace) => void;
}) {
  return (
    <div className="grid gap-4 mt-4 grid-cols-[repeat(auto-fill,minmax(240px,1fr))]">
      {sheets.length > 1 && (
        <Select
          label="Sheet"
          value={sheet}
          options={sheets.map(({ name, isHidden }) => ({ value: name, label: name, ...(isHidden && { note: 'Hidden' }) }))}
          onChange={(name) => onPlace({ sheet: name, titlesLine: null })}
        />
      )}
      <Select
        label="Row of titles"
        value={String(titlesLine)}
        options={titleRows.map(({ line, text }) => ({ value: String(line), label: `Row ${line}`, note: text }))}
        onChange={(line) => onPlace({ sheet: sheets.length > 1 ? sheet : null, titlesLine: Number(line) })}
      />
    </div>
  );
}

/** The bytes of a file in base64. */
function readContent(file: File): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
  reader.onerror = () => reject(reader.error ?? new Error('the file cannot be read'));
  reader.readAsDataURL(file);
  return promise;
}
