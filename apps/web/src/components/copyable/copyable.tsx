'use client';

import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { MiddleCut } from './middle-cut.tsx';

const SHOWN_MS = 1_500;

interface CopyableProps {
  readonly text: string;
  readonly label: string;
  /** Shown whole, on more lines where it is too wide: it may have to be typed elsewhere. */
  readonly whole?: boolean;
}

/** Text that a click copies whole: an id, a reference. A long one is cut in its middle. */
export function Copyable({ text, label, whole = false }: CopyableProps) {
  const { copied, copy } = useCopy(text);
  return (
    <button
      type="button"
      className="group inline-flex items-center gap-1.5 max-w-full min-w-0 -my-0.5 -mx-1.5 py-0.5 px-1.5 rounded-sm text-inherit font-mono text-xs text-start cursor-copy hover:bg-ground-hover"
      onClick={copy}
      title={`${text}\nClick to copy`}
      aria-label={`Copy ${label} ${text}`}
    >
      <span className="truncate data-[whole=true]:leading-[1.6] data-[whole=true]:whitespace-normal" data-whole={whole}>
        {whole ? text : <MiddleCut text={text} />}
      </span>
      <CopyGlyph copied={copied} isQuiet />
    </button>
  );
}

/** A button that copies a longer text. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { copied, copy } = useCopy(text);
  return (
    <button
      type="button"
      className="inline-flex items-center gap-1.5 h-7 px-2 rounded-md text-ink-quiet text-xs hover:bg-ground-hover hover:text-ink"
      onClick={copy}
      aria-label={`Copy ${label}`}
    >
      <CopyGlyph copied={copied} />
      {copied ? 'Copied' : 'Copy'}
    </button>
  );
}

/** Beside a text it shows only where that is pointed at, or was copied. */
function CopyGlyph({ copied, isQuiet = false }: { copied: boolean; isQuiet?: boolean }) {
  return (
    <span
      className={`grid flex-none ${copied ? 'text-good-ink' : `text-ink-faint ${isQuiet ? 'opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100' : ''}`}`}
      data-copied={copied}
      aria-hidden="true"
    >
      {copied ? <IconCheck size={14} stroke={2} /> : <IconCopy size={14} stroke={1.7} />}
    </span>
  );
}

/** Copies a text, and knows for a moment that it did. */
export function useCopy(text: string): { copied: boolean; copy: () => void } {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return { copied, copy };
}
