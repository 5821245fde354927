import { analyse } from 'scslre';

/**
 * The parts of a pattern on which a text of one repeated character can cost more than time in
 * proportion to its length; none if it goes through such a text once. Two parts that take the same
 * character are tried in every division between them; one that may begin anywhere, before something
 * that does not come, is tried from everywhere.
 */
export function slowParts({ source, flags }: Pick<RegExp, 'source' | 'flags'>): string[] {
  return analyse({ source, flags }).reports.flatMap((report) => {
    const parts = report.type === 'Trade' ? [report.startQuant, report.endQuant] : [report.quant];
    return parts.map(({ raw }) => raw).join(' then ');
  });
}
