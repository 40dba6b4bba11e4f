'use client';

import { type DragEvent, useState } from 'react';

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
      className="flex flex-wrap gap-x-3 gap-y-2 items-center max-w-[960px] p-3 mb-3 border border-dashed border-line-strong rounded-xl data-[over=true]:border-accent data-[over=true]:bg-accent-soft"
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
      <label className="bar-control px-3.5 text-ink font-medium cursor-pointer focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent">
        <input
          className="absolute size-px opacity-0"
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
