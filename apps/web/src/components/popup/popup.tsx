'use client';

import { Popover } from '@base-ui/react/popover';
import { type ComponentProps, type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { floatingContainer } from './floating-container.ts';

interface PopupProps {
  /** The button that opens it: its class, name and content. */
  readonly button: Pick<ComponentProps<'button'>, 'className' | 'children' | 'aria-label' | 'title'> & {
    readonly 'data-set'?: boolean;
    readonly disabled?: boolean;
  };
  /** Names what opens. */
  readonly label: string;
  readonly align: 'start' | 'end';
  readonly width?: number;
  /** True opens it without its button, as an address does that names it. */
  readonly isAsked?: boolean;
  /** Called when it has been closed after it was opened without its button. */
  readonly onClose?: (() => void) | undefined;
  /** Content of the popup; `close` closes it. */
  readonly content: (close: () => void) => ReactNode;
}

/**
 * A button and what it opens. The focus is within while it is open and returns to the button. Escape closes it, not the dialog or
 * the panel around it.
 */
export function Popup({ button, label, align, width, isAsked = false, onClose, content }: PopupProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [home, setHome] = useState<HTMLElement | null>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  const show = useCallback((element: Element | undefined) => {
    setHome(floatingContainer(element));
    setIsOpen(true);
  }, []);
  const close = useCallback(() => setIsOpen(false), []);
  useEffect(() => {
    if (isAsked) show(trigger.current ?? undefined);
  }, [isAsked, show]);
  return (
    <Popover.Root
      open={isOpen}
      modal="trap-focus"
      onOpenChange={(open, { trigger: pressed }) => (open ? show(pressed) : close())}
      onOpenChangeComplete={(open) => !open && isAsked && onClose?.()}
    >
      <Popover.Trigger ref={trigger} {...button} />
      <Popover.Portal container={home}>
        <Popover.Positioner className="z-300" positionMethod="fixed" side="bottom" align={align} sideOffset={4}>
          <Popover.Popup
            className="min-w-[200px] max-w-(--available-width) p-3 border border-line rounded-md bg-ground-float text-ink shadow-float transition-opacity duration-90 data-starting-style:opacity-0 data-ending-style:opacity-0 focus:outline-none"
            aria-label={label}
            style={width === undefined ? undefined : { width }}
            onKeyDown={(event) => {
              if (event.key !== 'Escape' || event.defaultPrevented) return;
              event.preventDefault();
              close();
            }}
          >
            {content(close)}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
