import type { AlertWords } from '../en/alerts.ts';

export const alerts: AlertWords = {};
