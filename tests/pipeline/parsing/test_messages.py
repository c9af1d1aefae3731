import asyncio
import io

from telusur.models import Document, Heading, Link
from telusur.pipeline.parsing import messages
from telusur.pipeline.parsing.page_parser import Parsed
from telusur.pipeline.parsing.shared_block import BLOCK_BYTES, SharedBlock


def sent_through(block, message):
    """Send a message over a pipe and a block; return it as received, and the bytes of the pipe."""
    pipe = io.BytesIO()
    messages.send(pipe, message, block)

    async def receive():
        reader = asyncio.StreamReader()
        reader.feed_data(pipe.getvalue())
        return await messages.receive_async(reader, block)

    return asyncio.run(receive()), len(pipe.getvalue())


def test_a_message_goes_through_the_block_and_one_that_does_not_fit_through_the_pipe():
    block = SharedBlock.make()
    small, large = {"a": b"x" * 1000}, [b"y" * BLOCK_BYTES]
    for message, in_pipe in ((small, 8), (large, BLOCK_BYTES), (small, 8)):
        received, size = sent_through(block, message)
        assert received == message
        assert in_pipe <= size <= in_pipe + 100
    block.close()


def test_what_was_received_does_not_change_with_the_next_message():
    block = SharedBlock.make()
    first, _ = sent_through(block, [b"first", "first"])
    sent_through(block, [b"other", "other"])
    assert first == [b"first", "first"]
    block.close()


def test_what_was_parsed_arrives_with_every_field():
    document = Document("http://a.example/", "T", text="Tea", topic_score=0.5, crawl_id=3)
    document.links, document.headings = [Link("http://a.example/b", "b")], [Heading(1, "T")]
    parsed = Parsed(document, links=b"packed", operations={"extract": 0.25}, scope_number=2)
    (received,), _ = sent_through(None, [parsed])
    assert received == parsed
    assert (received.document, received.document is document) == (document, False)
    assert type(received.document) is Document
