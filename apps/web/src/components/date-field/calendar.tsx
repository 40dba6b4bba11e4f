'use client';

import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/UnstyledButton.layer.css';
import '@mantine/dates/styles.layer.css';
import { Popover } from '@mantine/core';
import { DatePicker } from '@mantine/dates';
import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react';
import { isDay } from '#/format/calendar.ts';
import { floatingHome } from '../kit/floating-home.ts';
import { KitProvider } from '../kit/kit-provider.tsx';
import classes from './date-field.module.css';

/** A calendar beside the button that opened it. */
export interface CalendarProps {
  readonly label: string;
  readonly target: RefObject<HTMLButtonElement | null>;
  readonly value: string;
  readonly min: string | undefined;
  readonly max: string | undefined;
  readonly onChoose: (day: string) => void;
  readonly onClose: () => void;
}

/** The part of a date field that is fetched late. The focus is in the calendar while it is open. */
export function Calendar({ label, target, value, min, max, onChoose, onClose }: CalendarProps) {
  const picker = useRef<HTMLDivElement>(null);
  const shown = isDay(value) ? value : null;
  useEffect(() => {
    // The day that is chosen, or the first that can be: the grid has one of them in the order of the Tab key.
    picker.current?.querySelector<HTMLElement>('table button[tabindex="0"], table button:not([disabled])')?.focus();
  }, []);

  /** Escape closes the calendar, not the dialog or the panel around it. */
  function press(event: KeyboardEvent) {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    onClose();
  }

  return (
    <KitProvider>
      <Popover
        opened
        onChange={(opened) => !opened && onClose()}
        position="bottom-end"
        offset={4}
        floatingStrategy="fixed"
        trapFocus
        withRoles={false}
        portalProps={{ target: floatingHome(target.current) }}
        transitionProps={{ duration: 90, transition: 'fade' }}
      >
        <Popover.Target>
          <span className={classes.anchor} />
        </Popover.Target>
        <Popover.Dropdown
          className={classes.dropdown ?? ''}
          role="dialog"
          aria-label={`Calendar: ${label}`}
          onKeyDownCapture={press}
        >
          <div ref={picker}>
            <DatePicker
              value={shown}
              onChange={(day) => day !== null && onChoose(day)}
              {...(shown !== null && { defaultDate: shown })}
              {...(min !== undefined && isDay(min) && { minDate: min })}
              {...(max !== undefined && isDay(max) && { maxDate: max, ...(shown === null && { defaultDate: max }) })}
              hideOutsideDates
              ariaLabels={{
                previousMonth: 'Previous month',
                nextMonth: 'Next month',
                previousYear: 'Previous year',
                nextYear: 'Next year',
                previousDecade: 'Previous years',
                nextDecade: 'Next years',
              }}
            />
          </div>
        </Popover.Dropdown>
      </Popover>
    </KitProvider>
  );
}
