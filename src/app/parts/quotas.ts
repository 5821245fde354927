import { createAdmission } from '../../discord/quotas/exceptions.ts';
import { createQuotas } from '../../discord/quotas/quotas.ts';
import { createImports } from '../../watches/transfer/imports.ts';
import type { AppContext } from '../context.ts';
import type { DocumentParts } from './documents.ts';
import type { FeedParts } from './feed.ts';

/** Creates the limits on who may use the bot, and how much. */
export function createQuotaParts(context: AppContext, parts: DocumentParts & FeedParts) {
  const { collections, registry, limits, payers, budget } = parts;
  const limited = { ...context.config, LIMITS_FILE: limits };
  const admission = createAdmission(limited);
  limits.listen((ownerIds) => {
    ownerIds.forEach(payers.weightChanged);
    admission.changed(ownerIds);
  });
  const quotas = createQuotas(context, {
    limits: limited,
    admission,
    registry,
    budget,
    accountOf: payers.accountOf,
  });
  const imports = createImports(context, {
    pending: collections.imports,
    registry,
    changes: parts.changes,
    quotas,
  });
  return { admission, quotas, imports };
}
