// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { openAuthServer } from '#/testing/auth-server.ts';
import { expectProblem, expectRefusal, field, openDashboard } from '#/testing/dashboard.tsx';
import { ResetForm } from '../reset-password/reset-form.tsx';
import { InvitationForm } from './invitation-form.tsx';

const page = openDashboard('');
const auth = openAuthServer();
