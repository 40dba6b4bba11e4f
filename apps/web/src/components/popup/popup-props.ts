import type { ComponentProps, ReactNode } from 'react';

/** The button of a popup and what it opens. */
export interface PopupProps {
  /** The button that opens it: its class, name and content. */
  readonly button: Pick<ComponentProps<'button'>, 'className' | 'children' | 'aria-label' | 'title'> & {
    readonly 'data-set'?: boolean;
  };
  /** Names what opens. */
  readonly label: string;
  readonly align: 'start' | 'end';
  readonly width?: number;
  /** What opens; `close` puts it away again. */
  readonly content: (close: () => void) => ReactNode;
}
