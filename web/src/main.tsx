import '@mantine/core/styles.css';
import './page.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { makeQueryClient } from './api/query-client.js';
import { App } from './app.js';
import { beginWith } from './begin-with.js';
import { leadToSample } from './of-sample.js';
import { hashLocation } from './shell/hash-location.js';
import { quietInks, theme } from './theme.js';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no element with the id "root".');

leadToSample(location, history);
const client = makeQueryClient();
beginWith(client, location.hash);

createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={quietInks} defaultColorScheme="auto">
      <QueryClientProvider client={client}>
        <Router {...hashLocation}>
          <App />
        </Router>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
