'use client';

import { type DragEvent, useState } from 'react';
import classes from './file-drop.module.css';

/** A place to choose a file, or to drop it. The same file can be chosen again. */
export function FileDrop({
  accept,
  label,
  hint,
  disabled,
  onFile,
}: {
  /** As the attribute of a file input: `text/csv,.csv`. */
  accept: string;
  label: string;
  /** Beside the button, and read aloud when it changes. */
  hint: string;
  disabled: boolean;
  onFile: (file: File) => void;
}) {
  const [isOver, setIsOver] = useState(false);
  const take = (file: File | undefined) => {
    if (file !== undefined && !disabled) onFile(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: files can be dropped here; the button in it opens them as well.
    <div
      className={classes.file}
      data-over={isOver}
      onDragOver={(event: DragEvent) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event: DragEvent) => {
        event.preventDefault();
        setIsOver(false);
        take(event.dataTransfer.files[0]);
      }}
    >
      <label className={classes.choose}>
        <input
          type="file"
          accept={accept}
          disabled={disabled}
          onChange={(event) => {
            take(event.currentTarget.files?.[0]);
            event.currentTarget.value = '';
          }}
        />
        {label}
      </label>
      <span className="text-ink-faint text-sm" aria-live="polite">
        {hint}
      </span>
    </div>
  );
}
