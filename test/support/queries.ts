/** What docs/grafana asks of Prometheus. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from './output.js';

const read = (name: string): string => readFileSync(join(ROOT, 'docs', 'grafana', name), 'utf8');

interface AlertRule {
  alert: string;
  expr: string;
}

export function alertRules(): AlertRule[] {
  const { groups } = parse(read('alerts.yml')) as { groups: { rules: AlertRule[] }[] };
  return groups.flatMap(({ rules }) => rules);
}

export function dashboardQueries(): string[] {
  const { panels } = JSON.parse(read('dashboard.json')) as { panels: { targets: { expr: string }[] }[] };
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
}

/** Names of metrics in a query: what is no function, label, label value or time. */
export function metricsIn(query: string): string[] {
  const bare = query
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}/g, '')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\b(by|without) \([^)]*\)/g, '');
  return [...bare.matchAll(/[a-z_][a-z0-9_]*(?![a-z0-9_]*\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => !['bool', 'and', 'or', 'unless', 'sum', 'max', 'min'].includes(name));
}
