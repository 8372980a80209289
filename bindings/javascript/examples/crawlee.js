// Crawls a site as its robots.txt allows, from the URLs that it is given.
//
//     node examples/crawlee.js https://example.com/

import { CheerioCrawler, Configuration } from '@crawlee/cheerio';
import { RobotsCache } from 'abide-robots';
import { respectRobots } from 'abide-robots/crawlee';

const userAgent = 'ExampleBot/1.0 (+https://bot.example/)';
// Sites of a private network are asked only if they are meant.
const robots = new RobotsCache(userAgent, { allow_private: process.env.ALLOW_PRIVATE === '1' });

const crawler = new CheerioCrawler(
  {
    maxRequestsPerCrawl: 100,
    maxRequestRetries: 0,
    preNavigationHooks: [
      (_, options) => {
        // The name that sites see is the one that their files are asked about.
        options.useHeaderGenerator = false;
        options.headers = { 'User-Agent': userAgent };
      },
    ],
    async requestHandler({ request, enqueueLinks }) {
      console.log(`crawled ${request.loadedUrl}`);
      await enqueueLinks({ strategy: 'all' });
    },
    onSkippedRequest({ url, reason }) {
      console.log(`skipped ${url} (${reason})`);
    },
  },
  new Configuration({ persistStorage: false }),
);

respectRobots(crawler, robots);
await crawler.run(process.argv.slice(2));
