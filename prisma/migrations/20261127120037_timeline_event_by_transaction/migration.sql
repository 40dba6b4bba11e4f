DROP INDEX CONCURRENTLY "timeline_event_by_transaction";
