'use client';

import { IconCheck } from '@tabler/icons-react';
import { type ComponentProps, type KeyboardEvent, type ReactNode, useState } from 'react';
import { floatingContainer } from '../popup/floating-container.ts';

export interface SelectOption<Value extends string = string> {
  readonly value: Value;
  readonly label: string;
  /** A second, quieter text beside the label, found by the search too: a number, an offset. */
  readonly note?: string;
}

/** Content and behaviour of the list of a select, short or long. */
export interface ListProps {
  readonly label: string;
  readonly options: readonly SelectOption[];
  readonly value: string | null;
  readonly disabled: boolean;
  readonly onChange: (value: string | null) => void;
  readonly button: Omit<ComponentProps<'button'>, 'ref' | 'style' | 'className'> & {
    readonly className: string | undefined;
    readonly 'data-marked': boolean;
    readonly 'data-place': string;
  };
  /** The content of the button. */
  readonly children: ReactNode;
}

/** The open state of a list, and where it floats. Escape closes the list, not the dialog or the panel around it. */
export function useList() {
  const [isOpen, setIsOpen] = useState(false);
  const [home, setHome] = useState<HTMLElement | null>(null);
  return {
    home,
    root: {
      open: isOpen,
      modal: false,
      onOpenChange: (open: boolean, { trigger }: { readonly trigger: Element | undefined }) => {
        if (open) setHome(floatingContainer(trigger));
        setIsOpen(open);
      },
    },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !isOpen) return;
      event.preventDefault();
      event.stopPropagation();
      setIsOpen(false);
    },
  };
}

/** The place of an open list: under its control. */
export const place = { className: 'z-300', positionMethod: 'fixed', side: 'bottom', align: 'start', sideOffset: 4 } as const;

/** An option in a list. */
export function Option({ option, isSelected }: { option: SelectOption; isSelected: boolean }) {
  return (
    <>
      <span className="flex-1 min-w-0 wrap-anywhere">{option.label}</span>
      {option.note !== undefined && <span className="text-ink-faint text-xs">{option.note}</span>}
      {isSelected && <IconCheck size={14} stroke={2} aria-hidden="true" />}
    </>
  );
}
