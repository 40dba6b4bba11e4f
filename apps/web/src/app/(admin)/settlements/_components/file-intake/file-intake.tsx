'use client';

import type { ReactNode } from 'react';
import { FileDrop } from '#/components/file-drop/file-drop.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import type { ChosenFile, FileIntake } from './use-file-intake.ts';

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
