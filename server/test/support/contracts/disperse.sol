// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface Token {
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

/// Pays many in one transaction, with the interface and the behaviour of Disperse (disperse.app): receivers of coins get as
/// little gas as a plain transfer gives, what is left over goes back, and one that refuses fails all.
contract Disperse {
    function disperseEther(address payable[] calldata recipients, uint256[] calldata values) external payable {
        for (uint256 at = 0; at < recipients.length; at++) recipients[at].transfer(values[at]);
        uint256 left = address(this).balance;
        if (left > 0) payable(msg.sender).transfer(left);
    }

    function disperseTokenSimple(Token token, address[] calldata recipients, uint256[] calldata values) external {
        for (uint256 at = 0; at < recipients.length; at++)
            require(token.transferFrom(msg.sender, recipients[at], values[at]));
    }
}

/// Pays coins, and no tokens.
contract CoinDisperse {
    function disperseEther(address payable[] calldata recipients, uint256[] calldata values) external payable {
        for (uint256 at = 0; at < recipients.length; at++) recipients[at].transfer(values[at]);
    }
}

/// Takes whatever it is sent and pays nobody.
contract Swallower {
    fallback() external payable {}
}

/// Takes coins until it is told not to.
contract FickleReceiver {
    bool public refuses;

    function setRefuses(bool value) external {
        refuses = value;
    }

    receive() external payable {
        require(!refuses, "not now");
    }
}
