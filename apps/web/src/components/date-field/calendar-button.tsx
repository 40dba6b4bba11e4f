'use client';

import { IconCalendar } from '@tabler/icons-react';
import { type ComponentType, useRef, useState } from 'react';
import { useLazyKit } from '../kit/use-lazy-kit.ts';
import type { CalendarProps } from './calendar.tsx';
import classes from './date-field.module.css';

const loadCalendar = (): Promise<ComponentType<CalendarProps>> => import('./calendar.tsx').then((module) => module.Calendar);

/** Opens a calendar beside the field of a day; it is loaded when a pointer or the focus comes near. */
export function CalendarButton({
  label,
  value,
  min,
  max,
  disabled,
  onChoose,
}: {
  label: string;
  value: string;
  min: string | undefined;
  max: string | undefined;
  disabled: boolean;
  onChoose: (day: string) => void;
}) {
  const button = useRef<HTMLButtonElement>(null);
  const [isNear, setIsNear] = useState(false);
  const [isOpen, setIsOpen] = useState(false);
  const Calendar = useLazyKit(isNear || isOpen, loadCalendar);
  const close = () => {
    setIsOpen(false);
    button.current?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className={classes.calendarButton}
        disabled={disabled}
        aria-label={`Choose ${label} from a calendar`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerEnter={() => setIsNear(true)}
        onFocus={() => setIsNear(true)}
        onClick={() => setIsOpen(!isOpen)}
      >
        <IconCalendar size={16} stroke={1.7} aria-hidden="true" />
      </button>
      {Calendar !== null && isOpen && (
        <Calendar
          label={label}
          target={button}
          value={value}
          min={min}
          max={max}
          onClose={close}
          onChoose={(day) => {
            onChoose(day);
            close();
          }}
        />
      )}
    </>
  );
}
